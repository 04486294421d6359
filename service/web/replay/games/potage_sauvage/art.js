// The cards of Potage Sauvage, drawn: a suit is a shape, a colour and a letter.

import { drawing, escaped } from "../../element.js";

const COLOURS = { insects: "#0b62a4", vegetables: "#00785a", fruits: "#b8441a", waste: "#55585c" };
const TINTS = { insects: "#e3eef8", vegetables: "#e1f2ea", fruits: "#fbe9df", waste: "#ececea" };
const SUITS = { I: "insects", V: "vegetables", F: "fruits", W: "waste" };

// Each in a square of 24, in the current colour.
const SHAPES = {
  insects: `<g fill="none" stroke="currentColor" stroke-width="1.6" stroke-linecap="round">
      <path d="M10 5 8 2M14 5l2-3M7 11 3 8M7 14.5H2.5M7.5 18 4 21M17 11l4-3M17 14.5h4.5M16.5 18l3.5 3"/></g>
    <circle cx="12" cy="6.4" r="2.7" fill="currentColor"/>
    <ellipse cx="12" cy="15" rx="5.4" ry="7" fill="currentColor"/>
    <path d="M12 9v12.5" stroke="#fff" stroke-width="1.1"/>
    <g fill="#fff"><circle cx="9.5" cy="13" r="1"/><circle cx="14.5" cy="13" r="1"/>
      <circle cx="9.8" cy="17.3" r="1"/><circle cx="14.2" cy="17.3" r="1"/></g>`,
  vegetables: `<g fill="none" stroke="currentColor" stroke-width="1.9" stroke-linecap="round">
      <path d="M12 8.5C12 5 10 3.5 7.5 2.5M12 8.5V2M12 8.5c0-3.5 2-5 4.5-6"/></g>
    <path d="M7.5 9.2c3-1.5 6-1.5 9 0 .8.5.5 2.4-.2 4.3L13.2 21.8c-.5 1.1-1.9 1.1-2.4 0L7.7 13.5c-.7-1.9-1-3.8-.2-4.3z" fill="currentColor"/>
    <path d="M9 12.5h3M12.5 15.5h2.3M10.5 18h2" stroke="#fff" stroke-width="1.1" stroke-linecap="round"/>`,
  fruits: `<path d="M12 8.5C9 5.6 3.8 7.2 3.8 13.2c0 5 3.5 8.9 6 8.9 1 0 1.3-.5 2.2-.5s1.2.5 2.2.5c2.5 0 6-3.9 6-8.9 0-6-5.2-7.6-8.2-4.7z" fill="currentColor"/>
    <path d="M12 8.5c-.1-2.3.3-4 1.6-5.8" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round"/>
    <path d="M14 5.2c1.4-2.2 3.6-2.7 5.6-2-1 2.2-3.4 3.2-5.6 2z" fill="currentColor"/>
    <path d="M7 12.5c.3-1.8 1.2-2.7 2.6-2.9" fill="none" stroke="#fff" stroke-width="1.3" stroke-linecap="round"/>`,
  waste: `<path d="M7.5 2.5h6.8v9.7c0 1.5 1 2.2 2.6 2.6 3 .7 4.6 1.9 4.6 4.2v.5h-14z" fill="currentColor"/>
    <path d="M7.5 20.6h14v1.9h-3.2l-.8-.9h-4.6l-.8.9H7.5z" fill="currentColor"/>
    <path d="M7.5 5.6h6.8M10.5 9.5l3.8-.7M10.8 12.3l3.5-.4" stroke="#fff" stroke-width="1.1"/>
    <path d="M15.5 17.8 18 16" stroke="#fff" stroke-width="1.1" stroke-linecap="round"/>`,
};
const HERB = `<g fill="none" stroke="currentColor" stroke-width="1.4" stroke-linecap="round">
    <path d="M12 22V6M12 22 6.5 8.5M12 22l5.5-13.5"/></g>
  <g fill="currentColor"><ellipse cx="12" cy="4" rx="2" ry="3"/>
    <ellipse cx="5.8" cy="6.5" rx="1.8" ry="2.8" transform="rotate(-22 5.8 6.5)"/>
    <ellipse cx="18.2" cy="6.5" rx="1.8" ry="2.8" transform="rotate(22 18.2 6.5)"/>
    <ellipse cx="9.6" cy="9" rx="1.3" ry="2.2" transform="rotate(-35 9.6 9)"/>
    <ellipse cx="14.4" cy="9" rx="1.3" ry="2.2" transform="rotate(35 14.4 9)"/>
    <ellipse cx="6.6" cy="12" rx="1.3" ry="2.2" transform="rotate(-60 6.6 12)"/>
    <ellipse cx="17.4" cy="12" rx="1.3" ry="2.2" transform="rotate(60 17.4 12)"/></g>
  <rect x="9.3" y="15.6" width="5.4" height="2.4" rx="1.2" fill="currentColor"/>`;
const TIPPED = `<g transform="rotate(118 11 11)"><path d="M4.5 7h13v6.5c0 3-2.2 5-6.5 5s-6.5-2-6.5-5z" fill="currentColor"/>
    <path d="M3.2 7h15.6" stroke="currentColor" stroke-width="2.2" stroke-linecap="round"/>
    <path d="M4.2 10.5H2.5M17.8 10.5h1.7" stroke="currentColor" stroke-width="1.7" stroke-linecap="round"/></g>
  <path d="M4 18.5c-1 2 3 3.5 8 3.3 4-.1 8-1 7.3-2.3" fill="none" stroke="currentColor" stroke-width="1.7" stroke-linecap="round"/>`;

/** Answer the suit of a card. */
export const suitOf = (card) => SUITS[card[0]] ?? "waste";

/** Answer the colour of a suit. */
export const colourOf = (suit) => COLOURS[suit] ?? "#7a5c2e";

/** Draw a suit by itself; without a name it is decoration. */
export function suitMark(suit, name = null) {
  const markup = `<g color="${colourOf(suit)}">${SHAPES[suit] ?? POT}</g>`;
  return drawing(24, 24, markup, name, { class: "suit" });
}

const POT = `<path d="M4 9h16v5.5c0 4-3 6.5-8 6.5s-8-2.5-8-6.5z" fill="currentColor"/>
  <path d="M2.6 8.6h18.8" stroke="currentColor" stroke-width="2" stroke-linecap="round"/>
  <path d="M8 5.5c-1-1.2 1-1.8 0-3.2M12 5.5c-1-1.2 1-1.8 0-3.2M16 5.5c-1-1.2 1-1.8 0-3.2" fill="none" stroke="currentColor" stroke-width="1.2" stroke-linecap="round"/>`;

/** Draw a card's face. */
export function face(card, words) {
  const suit = suitOf(card);
  const kind = card.slice(1);
  const inner = { H: HERB, R: TIPPED }[kind] ?? SHAPES[suit];
  const value = { H: "", R: "0" }[kind] ?? kind;
  const letter = words.name("suits", suit)[0].toUpperCase();
  const corner = kind === "H"
    ? `<g transform="translate(4.5 4.5) scale(.62)">${HERB}</g>`
    : `<text x="12" y="20" font-size="${value.length > 1 ? 17 : 20}" font-weight="800" text-anchor="middle" fill="currentColor">${escaped(value)}</text>`;
  const centre = 1.45;
  const side = 24 * centre;
  return drawing(
    64,
    90,
    `<rect x=".75" y=".75" width="62.5" height="88.5" rx="7" fill="#fffdf7" stroke="#00000038" stroke-width="1.5"/>
    <g color="${COLOURS[suit]}">
      <rect x="1.5" y="1.5" width="21" height="87" rx="6" fill="${TINTS[suit]}"/>
      <path d="M22.5 1.5v87" stroke="currentColor" stroke-opacity=".25"/>
      ${corner}
      <g transform="translate(4.6 25) scale(.62)">${SHAPES[suit]}</g>
      <text x="12" y="82" font-size="13" font-weight="700" text-anchor="middle" fill="currentColor">${escaped(letter)}</text>
      <g transform="translate(${42.5 - side / 2} ${45 - side / 2}) scale(${centre})">${inner}</g>
    </g>`,
    words.card(card),
  );
}

/** Draw a card's back. */
export function back() {
  return drawing(
    64,
    90,
    `<rect x=".75" y=".75" width="62.5" height="88.5" rx="7" fill="#7a3b2e" stroke="#00000055" stroke-width="1.5"/>
    <rect x="5.5" y="5.5" width="53" height="79" rx="4" fill="none" stroke="#e9c9a8" stroke-opacity=".7" stroke-width="1.3"/>
    <g color="#e9c9a8" transform="translate(17 30) scale(1.25)" opacity=".9">${POT}</g>`,
  );
}

/** Draw the recipe of a deal: its suit, or a rainbow of soups; "hidden" is a back. */
export function recipeCard(recipe, name) {
  if (recipe === "hidden") {
    return drawing(48, 48, `<rect x="1" y="1" width="46" height="46" rx="8" fill="#7a3b2e" stroke="#e9c9a8" stroke-opacity=".6"/>
      <text x="24" y="32" font-size="24" text-anchor="middle" fill="#e9c9a8" font-weight="700">?</text>`, name, { class: "recipe" });
  }
  const mixed = `<g color="#0b7f8c"><path d="M24 9c5 7.5 8.5 11.5 8.5 17a8.5 8.5 0 0 1-17 0c0-5.5 3.5-9.5 8.5-17z" fill="currentColor"/>
    <path d="M19.5 26.5a5 5 0 0 0 4 5" fill="none" stroke="#fff" stroke-width="1.8" stroke-linecap="round"/></g>`;
  const shape = SHAPES[recipe]
    ? `<g color="${COLOURS[recipe]}" transform="translate(11 7) scale(1.08)">${SHAPES[recipe]}</g>`
    : mixed;
  return drawing(
    48,
    48,
    `<rect x="1" y="1" width="46" height="46" rx="8" fill="#fffdf7" stroke="#00000038"/>
    ${shape}<path d="M9 37h30c-1.5 5-7 7-15 7s-13.5-2-15-7z" fill="#3c3a38"/>`,
    name,
    { class: "recipe" },
  );
}

/** Draw the pot with what is in it. */
export function pot(sum, boils, name) {
  const level = Math.min(1, sum / 10);
  const surface = 78 - 34 * level;
  const bubbles = boils
    ? `<g fill="#ffe9c9" opacity=".95"><circle cx="52" cy="30" r="6"/><circle cx="74" cy="20" r="8"/><circle cx="96" cy="27" r="6.5"/><circle cx="112" cy="34" r="4"/><circle cx="38" cy="37" r="4"/></g>`
    : sum > 0
      ? `<g fill="none" stroke="#ffffff" stroke-opacity=".35" stroke-width="3" stroke-linecap="round"><path d="M58 34c-5-6 5-10 0-17M75 30c-5-6 5-10 0-17M92 34c-5-6 5-10 0-17"/></g>`
      : "";
  return drawing(
    150,
    130,
    `${bubbles}
    <clipPath id="inside"><path d="M28 44h94v34c0 24-16 40-47 40S28 102 28 78z"/></clipPath>
    <path d="M22 44h106v34c0 27-18 45-53 45S22 105 22 78z" fill="#2b2d30"/>
    <g clip-path="url(#inside)"><rect x="22" y="${surface}" width="106" height="90" fill="#c7772e"/>
      <path d="M22 ${surface}q13-5 26.5 0t26.5 0 26.5 0 26.5 0v8H22z" fill="#e39a4a"/></g>
    <path d="M22 44h106v34c0 27-18 45-53 45S22 105 22 78z" fill="none" stroke="#191a1c" stroke-width="5"/>
    <rect x="14" y="38" width="122" height="10" rx="5" fill="#3a3d41"/>
    <path d="M19 58H10v14h9M131 58h9v14h-9" fill="none" stroke="#3a3d41" stroke-width="5" stroke-linecap="round"/>
    <text x="75" y="99" font-size="40" font-weight="800" text-anchor="middle" fill="#fff" stroke="#191a1c" stroke-width="5" paint-order="stroke" stroke-linejoin="round">${escaped(sum)}</text>`,
    name,
    { class: "pot" },
  );
}
