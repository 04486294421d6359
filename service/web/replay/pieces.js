// Pieces that every game lays on the table: hands, heaps, rows of cards, numbers.

import { h } from "./element.js";

/** Lay a hand as a fan; a card that is null shows its back. `name` says whose and how many. */
export function fan(cards, face, back, name) {
  return h(
    "ul",
    { class: "fan", "aria-label": name },
    cards.map((card) => h("li", {}, card === null ? back() : piece(card, face(card)))),
  );
}

/** Lay cards in a row that wraps; each says `under` it where it comes from. */
export function spread(laid, name) {
  return h(
    "ul",
    { class: "spread", "aria-label": name },
    laid.map(({ card, face, under, fresh }) =>
      h("li", { class: fresh ? "fresh" : null }, piece(card, face), under && h("small", {}, under)),
    ),
  );
}

/** Mark a drawing as a card, so that it can be picked and found. */
export function piece(card, face) {
  if (card === null) return face;
  return h("span", { class: "piece", "data-card": card }, face);
}

/** Lay a closed heap with its number. */
export function heap(count, back, name) {
  const shown = count > 0 ? back() : h("span", { class: "gap" });
  return h(
    "div",
    { class: "heap", role: "img", "aria-label": name, title: name },
    shown,
    h("b", {}, String(count)),
  );
}

/** Write points with their sign. */
export function tally(points) {
  const sign = points > 0 ? "+" : points < 0 ? "−" : "±";
  return h("b", { class: points < 0 ? "tally less" : "tally" }, `${sign}${Math.abs(points)}`);
}
