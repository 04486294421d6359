// Lays the table: the seats around it, clockwise from the one that looks, and what is between.

import { h } from "./element.js";

/** Answer the table as elements; `near` is the seat at the lower edge. */
export function stage(drawn, names, say, near) {
  const seats = drawn.places.length;
  const others = Array.from({ length: seats - 1 }, (_, i) => (near + 1 + i) % seats);
  return [
    h("div", { class: "far", "data-seats": others.length }, others.map((seat) => place(drawn, seat, names, say))),
    h("section", { class: "centre", "aria-label": drawn.title }, drawn.title && h("h3", { class: "title" }, drawn.title, drawn.facts.map((fact) => h("small", {}, fact))), drawn.centre),
    h("div", { class: "near" }, place(drawn, near, names, say)),
  ];
}

function place(drawn, seat, names, say) {
  const moves = drawn.waiting.includes(seat);
  const wins = drawn.winners?.includes(seat) ?? false;
  const score = drawn.scores[seat];
  const { name, kind } = names(seat);
  return h(
    "section",
    { class: `place${moves ? " moves" : ""}${wins ? " wins" : ""}`, "data-seat": seat, "aria-label": name },
    h(
      "header",
      {},
      h("h3", {}, name, kind && h("small", {}, kind)),
      wins && h("span", { class: "badge won" }, say.winner),
      moves && h("span", { class: "badge" }, say.to_move),
      score && h("span", { class: "score", title: score.name }, h("b", { "data-score": seat }, String(score.value)), h("small", {}, score.name)),
    ),
    h("div", { class: "things" }, drawn.places[seat]),
  );
}
