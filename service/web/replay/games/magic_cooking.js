// Magic Cooking: what its events make of a table, and how that looks.

export { face as card } from "./magic_cooking.art.js";
export { draw } from "./magic_cooking.draw.js";
export { apply, initial, resume } from "./magic_cooking.table.js";
