// Draws nothing: for games that this page does not know, and for parts of a record.

import { h } from "./element.js";

/** Answer a table of which nothing is known. */
export const initial = ({ seats }) => ({ seats, winners: null });

/** Leave it as it is. */
export const apply = (table, kind, told) =>
  Array.isArray(told.winners) ? { ...table, winners: told.winners } : table;

/** Leave it as it is. */
export const resume = (table) => table;

/** Draw the seats, with nothing before them. */
export const draw = (table) => ({
  title: "",
  facts: [],
  waiting: [],
  winners: table.winners,
  scores: Array(table.seats).fill(null),
  places: Array(table.seats).fill([]),
  centre: h("p", { class: "note", id: "undrawn" }),
});

/** A card of an unknown game is its name. */
export const card = () => null;
