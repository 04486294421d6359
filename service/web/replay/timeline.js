// The moments of a history from one perspective: each is the one before with one event applied.

import { told } from "./history.js";
import { seated, unopened } from "./sitting.js";

/** Folds a history as far as it is looked at, and keeps what it has folded. */
export class Timeline {
  constructor(history, game, as) {
    this.history = history;
    this.game = game;
    this.as = as;
    const table = game.initial(history.header, as);
    this.moments = [{ event: null, told: {}, sitting: unopened(history.header), table, broken: null }];
  }

  /** Answer the moment after so many events; `broken` is the version that could not be applied. */
  at(version) {
    while (this.moments.length <= version) {
      const event = this.history.events[this.moments.length - 1];
      this.moments.push(this.#next(this.moments.at(-1), event));
    }
    return this.moments[version];
  }

  #next(before, event) {
    const fields = told(event, this.as);
    const next = { ...before, event, told: fields };
    try {
      next.sitting = seated(before.sitting, event.kind, fields);
      if (before.broken === null) next.table = this.#applied(before.table, event, fields);
    } catch {
      // A damaged file can tell what cannot be: its words are still shown, the table stays.
      next.broken = event.version;
    }
    return next;
  }

  #applied(table, event, fields) {
    const resumed = this.history.resumed;
    if (resumed?.version === event.version) return this.game.resume(table, resumed.play);
    // A what-if's position is sealed to nobody; of an open one a game shows each its own part.
    const position = event.kind === "PositionSet" ? event.sealed : null;
    return this.game.apply(table, event.kind, { ...fields, ...position });
  }
}

/** Answer the moments at which a perspective sees a card; an order of the deck is seen by nobody. */
export function appearances(history, as, card) {
  const seen = (event) => (event.audience?.length === 0 ? event.public : told(event, as));
  return history.events.flatMap((event, i) => (mentions(seen(event), card) ? [i + 1] : []));
}

function mentions(value, card) {
  if (value === card) return true;
  return typeof value === "object" && value !== null && Object.values(value).some((each) => mentions(each, card));
}
