// The cards of Spellcaster: a colour is a shape and a letter too, and each card says what it does.

import { drawing, h } from "../../element.js";

const INITIALS = { r: "red", g: "green", y: "yellow", b: "blue" };
// Each in a square of 24, in the current colour.
const SHAPES = {
  red: `<path d="M12 1.5c1.5 4 6.5 6.5 6.5 13 0 4.5-3 8-6.5 8s-6.5-3.5-6.5-8c0-3 1.5-5 2.8-6.5.2 2 1 3 2 3.5C9.8 8 10.5 4.5 12 1.5z" fill="currentColor"/>`,
  green: `<path d="M4 20C2 9 8 2.5 21 2.5 22 15 16 21.5 6.5 19.5L4 22.5z" fill="currentColor"/><path d="M6.5 18C9 13 12 10 16.5 7" stroke="#fff" stroke-width="1.6" fill="none" stroke-linecap="round"/>`,
  yellow: `<circle cx="12" cy="12" r="5.6" fill="currentColor"/><path d="M12 1v3.4M12 19.6V23M1 12h3.4M19.6 12H23M4.2 4.2l2.4 2.4M17.4 17.4l2.4 2.4M4.2 19.8l2.4-2.4M17.4 6.6l2.4-2.4" stroke="currentColor" stroke-width="2.4" stroke-linecap="round"/>`,
  blue: `<path d="M12 1.5 21.5 12 12 22.5 2.5 12z" fill="currentColor"/><path d="M12 1.5 16 12l-4 10.5L8 12z" fill="#fff" fill-opacity=".35"/>`,
};

/** Answer the colour of a card. */
export const colourOf = (card, words) => words.cards.get(card)?.colour ?? INITIALS[card[0]] ?? "blue";

/** Draw the shape of a colour. */
export function sign(colour, name = null) {
  return drawing(24, 24, SHAPES[colour], name, { class: `sign ${colour}` });
}

/** Draw a card with name and text; `small` leaves the text to a title. */
export function face(card, words, small = false) {
  const facts = words.cards.get(card) ?? {};
  const colour = colourOf(card, words);
  const colourName = words.name("colours", colour);
  const kind = facts.kind ?? "incantation";
  const kindName = facts.kind ? words.name("kinds", kind) : "";
  return h(
    "article",
    { class: `spell ${colour} ${kind}${small ? " small" : ""}`, title: small ? (facts.text ?? null) : null },
    h(
      "header",
      {},
      sign(colour, colourName),
      h("b", { class: "letter", "aria-hidden": "true" }, colourName[0].toUpperCase()),
      h("h5", {}, words.card(card)),
    ),
    !small && h("p", {}, facts.text ?? ""),
    !small && h("footer", {}, kindMark(kind), kindName),
  );
}

/** An incantation is a spark, an enchantment a ring that stays. */
function kindMark(kind) {
  const markup = kind === "enchantment"
    ? `<circle cx="12" cy="12" r="8" fill="none" stroke="currentColor" stroke-width="3"/>`
    : `<path d="M14 1 4 14h6l-1 9 11-14h-7z" fill="currentColor"/>`;
  return drawing(24, 24, markup, null, { class: "kind" });
}

/** Draw a card's back. */
export function back() {
  return h("article", { class: "spell small back" }, drawing(24, 24, `<path d="M12 2 21 12l-9 10L3 12z" fill="none" stroke="currentColor" stroke-width="1.5"/><circle cx="12" cy="12" r="3" fill="currentColor"/>`));
}

/** Draw energy or sapphires with their number. */
export function pool(resource, amount, name) {
  const markup = resource === "energy"
    ? `<path d="M14 1 4 14h6l-1 9 11-14h-7z" fill="#e8b520" stroke="#5c4300" stroke-width="1.2" stroke-linejoin="round"/>`
    : `<path d="M6 3h12l5 7-11 12L1 10z" fill="#4d8fe0" stroke="#143d73" stroke-width="1.3" stroke-linejoin="round"/><path d="M1 10h22M6 3l6 19 6-19" fill="none" stroke="#dbeaff" stroke-width="1"/>`;
  return h(
    "span",
    { class: `pool ${resource}`, role: "img", "aria-label": `${name}: ${amount}`, title: name },
    drawing(24, 24, markup),
    h("b", { "data-pool": resource }, String(amount)),
  );
}
