// Potage Sauvage: what its events make of a table, and how that looks.

export { face as card } from "./potage_sauvage.art.js";
export { draw } from "./potage_sauvage.draw.js";
export { apply, initial, resume } from "./potage_sauvage.table.js";
