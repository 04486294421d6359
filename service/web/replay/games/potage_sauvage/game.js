// Potage Sauvage: what its events make of a table, and how that looks.

export { face as card } from "./art.js";
export { draw } from "./draw.js";
export { apply, initial, resume } from "./table.js";
