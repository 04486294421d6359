// Folds the events of Spellcaster; the names are those of the game's view.
//
// A hand is a list of cards; null is one that this perspective does not see.

export const COLOURS = ["red", "green", "yellow", "blue"];
const ENERGY = 10;
const SAPPHIRES = 2;

/** Answer the side of a seat. */
export const sideOf = (seat) => seat % 2;

/** Answer the table before the deal. */
export function initial({ seats, options }, as) {
  const sees = (seat) =>
    as === "arbiter" ||
    as === String(seat) ||
    (options.partners_see_hands && as !== "spectator" && sideOf(Number(as)) === sideOf(seat));
  return {
    as,
    sees: Array.from({ length: seats }, (_, seat) => sees(seat)),
    turn: 0,
    phase: "actions",
    active: 0,
    actions_left: 0,
    energy: [ENERGY, ENERGY],
    sapphires: [SAPPHIRES, SAPPHIRES],
    hands: Array(seats).fill([]),
    deck: 0,
    discard: [],
    piles: Object.fromEntries(COLOURS.map((colour) => [colour, []])),
    used: [],
    effects: [],
    pending: null,
    end_after_turn: false,
    casting: null,
    winners: null,
    reason: null,
  };
}

/** Apply an event. */
export function apply(table, kind, event) {
  const next = { ...table, casting: null };
  return cardsMoved(next, kind, event) ?? otherwise(next, kind, event);
}

function cardsMoved(table, kind, event) {
  const { card, pile } = event;
  switch (kind) {
    case "DeckShuffled":
      return { ...table, deck: event.count };
    case "HandDealt":
      return drawn(table, event);
    case "CardsDrawn":
      return { ...drawn(table, event), actions_left: event.actions_left };
    case "CardPlayed": {
      const top = { card, facing: event.facing };
      const piles = { ...table.piles, [pile]: [...table.piles[pile], top] };
      return { ...gone(table, event.seat, card), piles, actions_left: event.actions_left };
    }
    case "SpellCast":
      return { ...table, used: [...table.used, card], actions_left: event.actions_left, casting: card };
    case "CardDiscarded":
      return { ...gone(table, event.owner, card), discard: [...table.discard, card] };
    case "DeckCardLost":
      return { ...table, deck: table.deck - 1, discard: [...table.discard, card] };
    case "TopDiscarded": {
      const piles = { ...table.piles, [pile]: table.piles[pile].slice(0, -1) };
      return { ...table, piles, discard: [...table.discard, card] };
    }
    case "TopTurned": {
      const turned = [...table.piles[pile].slice(0, -1), { card, facing: event.facing }];
      return { ...table, piles: { ...table.piles, [pile]: turned } };
    }
    case "CardTaken": {
      const discard = table.discard.filter((each) => each !== card);
      return { ...come(table, event.to, [card]), discard };
    }
    case "CardStolen":
      return come(gone(table, event.victim, card), event.thief, [card ?? null]);
    case "PositionSet":
      return event.state ? placed(table, event.state) : null;
    default:
      return null;
  }
}

function otherwise(table, kind, event) {
  switch (kind) {
    case "TurnBegun":
      return {
        ...table,
        turn: event.turn,
        active: event.seat,
        actions_left: 0,
        used: [],
        effects: table.effects.filter((each) => each.until_turn_of !== event.seat),
      };
    case "ActionsGained":
    case "ActionPassed":
      return { ...table, actions_left: event.actions_left };
    case "ResourceGained":
    case "ResourceLost":
    case "ResourcePaid":
      return pooled(table, event.resource, event.side, event.total);
    case "ResourceMoved": {
      const given = pooled(table, event.resource, event.giver, event.giver_total);
      return pooled(given, event.resource, event.taker, event.taker_total);
    }
    case "LossPrevented":
      return { ...table, effects: table.effects.filter((_, i) => !event.spent.includes(i)) };
    case "EffectBegun":
      return { ...table, effects: [...table.effects, event] };
    case "ChoiceOffered":
    case "HandChoiceOffered":
      return offered(table, event);
    case "ChoiceMade":
      return { ...table, phase: "actions", pending: null };
    case "LastTurnFlagged":
      return { ...table, end_after_turn: true };
    case "WinnersDecided":
      return { ...table, phase: "over", pending: null, winners: event.winners, reason: event.reason };
    default:
      return table;
  }
}

function seen(table, seat, cards) {
  return cards.map((card) => (table.sees[seat] ? card : null));
}

function come(table, to, cards) {
  // By id; ids of equal length sort as texts, what is not seen comes last.
  const hand = [...table.hands[to], ...seen(table, to, cards)];
  hand.sort((a, b) => (a === b ? 0 : a === null || (b !== null && a > b) ? 1 : -1));
  return { ...table, hands: table.hands.with(to, hand) };
}

function gone(table, from, card) {
  const hand = table.hands[from];
  const at = Math.max(0, hand.includes(card) ? hand.indexOf(card) : hand.indexOf(null));
  return { ...table, hands: table.hands.with(from, hand.toSpliced(at, 1)) };
}

function drawn(table, { to, count, cards }) {
  return { ...come(table, to, cards ?? Array(count).fill(null)), deck: table.deck - count };
}

function pooled(table, resource, side, total) {
  const name = resource === "energy" ? "energy" : "sapphires";
  return { ...table, [name]: table[name].with(side, total) };
}

function offered(table, { to, card, kind, options = null, least }) {
  const pending = { seat: to, card, kind: kind ?? "cards", options, min: least };
  return { ...table, phase: "choice", pending };
}

/** Go on from the position of a what-if, as its sealed face tells it. */
function placed(table, state) {
  const { energy, sapphires, turn, active, actions_left, discard, used, effects, pending } = state;
  const piles = Object.fromEntries(COLOURS.map((colour, i) => [colour, state.piles[i]]));
  const hands = state.hands.map((hand, seat) => seen(table, seat, hand));
  const end_after_turn = state.end_after_turn;
  const set = { ...table, energy, sapphires, turn, active, actions_left, discard, used, effects };
  const play = { ...set, piles, hands, end_after_turn, deck: state.deck.length };
  if (pending === null) return play;
  const { seat, card, kind, options, colours, least } = pending;
  return offered(play, { to: seat, card, kind, options: colours.length ? null : options, least });
}

/** Go on from a view of the server. */
export function resume(table, play) {
  const hands = play.hand_sizes.map((size, seat) =>
    table.as === String(seat) ? play.hand : (play.hands?.[seat] ?? Array(size).fill(null)),
  );
  const [energy, sapphires] = ["energy", "sapphires"].map((name) => play.sides.map((each) => each[name]));
  return { ...table, ...play, hands, energy, sapphires };
}
