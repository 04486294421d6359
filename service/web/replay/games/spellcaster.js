// Spellcaster: what its events make of a table, and how that looks.

export { face as card } from "./spellcaster.art.js";
export { draw } from "./spellcaster.draw.js";
export { apply, initial, resume } from "./spellcaster.table.js";
