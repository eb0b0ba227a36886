// Light or dark: as the system says until somebody chooses.

import { read, write } from "./storage";

const system = matchMedia("(prefers-color-scheme: dark)");

export function themed(button: HTMLButtonElement): void {
  const apply = () => {
    const dark = (read("theme") ?? (system.matches ? "dark" : "light")) === "dark";
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
    button.textContent = dark ? "Light" : "Dark";
  };
  button.addEventListener("click", () => {
    const dark = document.documentElement.dataset["theme"] === "dark";
    write("theme", dark ? "light" : "dark");
    apply();
  });
  button.removeAttribute("aria-label");
  system.addEventListener("change", apply);
  apply();
}
