// Light or dark: as the system says until somebody chooses.

const system = matchMedia("(prefers-color-scheme: dark)");

export function themed(button: HTMLButtonElement): void {
  const apply = () => {
    const dark = (localStorage.getItem("theme") ?? (system.matches ? "dark" : "light")) === "dark";
    document.documentElement.dataset["theme"] = dark ? "dark" : "light";
    button.textContent = dark ? "Light" : "Dark";
  };
  button.addEventListener("click", () => {
    const dark = document.documentElement.dataset["theme"] === "dark";
    localStorage.setItem("theme", dark ? "light" : "dark");
    apply();
  });
  button.removeAttribute("aria-label");
  system.addEventListener("change", apply);
  apply();
}
