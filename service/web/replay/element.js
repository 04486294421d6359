// Makes elements: of HTML, of SVG, and drawings from markup that is written in these files.

const SVG = "http://www.w3.org/2000/svg";

/** Make an element; a false, null or undefined attribute is left out, a function is a listener. */
export function h(tag, attributes = {}, ...children) {
  return filled(document.createElement(tag), attributes, children);
}

/** Make an element of SVG. */
export function s(tag, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), attributes, children);
}

/** Make a drawing. Without a name it is decoration, which a screen reader passes over. */
export function drawing(width, height, markup, name = null, attributes = {}) {
  const told = name === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": name };
  const made = s("svg", { viewBox: `0 0 ${width} ${height}`, ...told, ...attributes });
  made.innerHTML = markup;
  return made;
}

/** Write a text into a drawing's markup. */
export function escaped(text) {
  return String(text).replace(/[&<>"]/g, (each) => `&#${each.codePointAt(0)};`);
}

function filled(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.flat(3).filter((each) => each !== null && each !== false && each !== undefined));
  return element;
}
