// The page's head names the scripts and style sheets of islands: <meta name="island" data-name content data-sheet>.

const named = (name) => document.querySelector(`meta[name=island][data-name="${name}"]`);

// path is the path of a script that no page loads by itself.
export const path = (name) => named(name).content;

// load loads the script of an island, with its style sheet.
export async function load(name) {
  const style = named(name).dataset.sheet;
  if (style && !document.querySelector(`link[href="${CSS.escape(style)}"]`)) {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = style;
    const loaded = new Promise((resolve) => (link.onload = link.onerror = resolve));
    document.head.append(link);
    await loaded;
  }
  return import(path(name));
}

// nonce is what a style element needs to hold.
export const nonce = () => document.querySelector("meta[name=style-nonce]")?.content ?? "";

// token is what a request that is not a GET needs.
export const token = () => document.querySelector("meta[name=csrf]")?.content ?? "";

// element makes an element with attributes and children.
export function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// colour is the value of a colour of the style sheet, in the theme of now, as a canvas understands it.
export function colour(name) {
  const probe = document.body.appendChild(document.createElement("span"));
  probe.style.color = `var(--${name})`;
  const value = getComputedStyle(probe).color;
  probe.remove();
  return value;
}

// onTheme calls f when the theme changes, as long as an element is on the page.
export function onTheme(element, f) {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const change = () => (element.isConnected ? f() : dark.removeEventListener("change", change));
  dark.addEventListener("change", change);
}

// plain is a value of a data attribute as the server escaped it.
export const plain = (value) => decodeURIComponent((value ?? "").replaceAll("+", " "));
