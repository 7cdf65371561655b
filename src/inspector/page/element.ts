/** What an element is made of: attributes by name, `on...` listeners, and what stands in it. */
type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;
type Child = Node | string | undefined | false | readonly Child[];

/**
 * Makes an element. Texts stay texts: nothing that a document says becomes a tag.
 *
 * @param tag `div.card` gives a class.
 * @param attributes `true` sets one without a value, `false` and `undefined` leave it out; functions under `onclick` and the like listen.
 * @param children Nodes and texts.
 */
export function element(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): HTMLElement {
  const [name = "div", ...classes] = tag.split(".");
  const made = document.createElement(name);
  if (classes.length > 0) made.className = classes.join(" ");
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key.slice(2), value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : String(value));
  }
  append(made, children);
  return made;
}

function append(parent: HTMLElement, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined || child === false) continue;
    if (child instanceof Node || typeof child === "string") parent.append(child);
    else append(parent, child as readonly Child[]);
  }
}

/** The element of the page with an id. */
export function byId(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`The page has no #${id}`);
  return found;
}

/** Puts something else into a section, and hides it where there is nothing. */
export function fill(id: string, ...children: readonly (Node | undefined)[]): void {
  const shown = children.filter((child) => child !== undefined);
  const section = byId(id);
  section.replaceChildren(...shown);
  section.hidden = shown.length === 0;
}

/** Four significant digits. */
export function shortNumber(value: number): string {
  return Math.abs(value) >= 1000 || (value !== 0 && Math.abs(value) < 0.0001) ? value.toPrecision(4) : String(Number(value.toPrecision(4)));
}

/** Milliseconds as people read them. */
export function shortMs(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`;
}
