// Elements made in one expression, and words spoken to screen readers.

type Attributes = Record<string, string | number | boolean | null | undefined | EventListener>;
export type Child = Node | string | number | null | undefined | false;

function filled<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== null && value !== undefined && value !== false)
      element.setAttribute(name, String(value));
  }
  for (const child of children)
    if (child !== null && child !== undefined && child !== false)
      element.append(child instanceof Node ? child : String(child));
  return element;
}

/** An HTML element; attributes that begin with "on" are listeners. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  return filled(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  return filled(element, attributes, children);
}

export function button(label: string, action: () => void, attributes: Attributes = {}) {
  return h("button", { type: "button", onclick: action as EventListener, ...attributes }, label);
}

export function labelled(label: string, control: HTMLElement): HTMLLabelElement {
  return h("label", {}, h("span", {}, label), control);
}

export function select(label: string, options: [string, string][], chosen = "") {
  const control = h("select", { "aria-label": label });
  for (const [value, text] of options)
    control.append(h("option", { value, selected: value === chosen }, text));
  return control;
}

let spoken = 0;

/** Let screen readers say something. */
export function say(words: string): void {
  const place = document.getElementById("spoken");
  if (place) place.textContent = words + (spoken++ % 2 ? " " : "");
}

/** Whether a place of the screen is in an element. */
export function within(element: Element, at: { clientX: number; clientY: number }): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return at.clientX > left && at.clientX < right && at.clientY > top && at.clientY < bottom;
}

export function number(value: number): string {
  return value.toLocaleString("en");
}

export function plural(count: number, word: string, words = `${word}s`): string {
  return `${number(count)} ${count === 1 ? word : words}`;
}

export function duration(seconds: number): string {
  if (seconds < 1) return "less than a second";
  const units: [string, number][] = [
    ["year", 31557600],
    ["day", 86400],
    ["hour", 3600],
    ["minute", 60],
  ];
  for (const [word, length] of units)
    if (seconds >= 2 * length) return plural(Math.round(seconds / length), word);
  return plural(Math.round(seconds), "second");
}

/** A duration that was estimated. */
export function roughly(seconds: number): string {
  return seconds < 1 ? duration(seconds) : `about ${duration(seconds)}`;
}

/** Offer a text or a picture as a file. */
export function download(name: string, content: Blob): void {
  const address = URL.createObjectURL(content);
  h("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
