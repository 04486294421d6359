// Folds the events of Potage Sauvage; the names are those of the game's view.
//
// A hand is a list of cards; null is one that this perspective does not see.

const RECIPES = ["insects", "vegetables", "fruits", "waste", "multicolour"];
const EMPTY_POT = { cards: [], sum: 0, led: null, free: false };

/** Answer the table before the first deal. */
export function initial({ seats, options }, as) {
  return {
    as,
    deal: 1,
    dealer: options.first_dealer,
    phase: "choosing",
    active: null,
    scores: Array(seats).fill(options.starting_points),
    hands: Array(seats).fill([]),
    size: 0,
    aside: [],
    chosen: Array(seats).fill(null),
    left: Array(seats).fill(RECIPES),
    trick: EMPTY_POT,
    piles: Array(seats).fill(0),
    last_deal: null,
    taken: null,
    scored: false,
    winners: null,
  };
}

/** Apply an event. */
export function apply(table, kind, event) {
  const next = { ...table, taken: null, scored: false };
  switch (kind) {
    case "DealStarted":
      return {
        ...next,
        deal: event.deal,
        dealer: event.dealer,
        size: event.hand_size,
        aside: Array(event.aside).fill(null),
        scored: table.scored,
      };
    case "HandDealt": {
      const seen = table.as === "arbiter" || table.as === String(event.to);
      const hand = seen && event.cards ? event.cards : Array(table.size).fill(null);
      return { ...next, hands: table.hands.with(event.to, hand), scored: table.scored };
    }
    case "CardsSetAside":
      return { ...next, aside: event.cards ?? table.aside, scored: table.scored };
    case "RecipeChosen":
      return { ...next, chosen: table.chosen.with(event.seat, event.recipe ?? "hidden") };
    case "RecipesRevealed":
      return {
        ...next,
        phase: "playing",
        active: event.leader,
        chosen: event.recipes,
        left: table.left.map((left, seat) => left.filter((each) => each !== event.recipes[seat])),
      };
    case "CardPlayed":
      return played(next, event);
    case "DealScored":
      return scored(next, event);
    case "GameEnded":
      return { ...next, phase: "over", scored: table.scored, winners: event.winners };
    case "DiceRolled":
      return { ...next, scored: table.scored };
    case "PositionSet":
      return event.state ? placed(next, event.state) : table;
    default:
      return table;
  }
}

function played(table, { seat, card, sum, led, free, taker }) {
  const cards = [...table.trick.cards, { seat, card }];
  const hands = table.hands.with(seat, without(table.hands[seat], card));
  if (taker === null) {
    const active = (seat + 1) % hands.length;
    return { ...table, hands, active, trick: { cards, sum, led, free } };
  }
  return {
    ...table,
    hands,
    active: taker,
    trick: EMPTY_POT,
    piles: table.piles.with(taker, table.piles[taker] + cards.length),
    taken: { cards, sum, by: taker },
  };
}

function without(hand, card) {
  const at = Math.max(0, hand.includes(card) ? hand.indexOf(card) : hand.indexOf(null));
  return hand.toSpliced(at, 1);
}

function scored(table, { recipes, captured, points, totals }) {
  const seats = totals.length;
  return {
    ...table,
    phase: "choosing",
    active: null,
    scores: totals,
    chosen: Array(seats).fill(null),
    hands: Array(seats).fill([]),
    aside: [],
    trick: EMPTY_POT,
    piles: Array(seats).fill(0),
    last_deal: { recipes, captured, scores: points },
    scored: true,
  };
}

/** Go on from the position of a what-if, as its sealed face tells it. */
function placed(table, state) {
  const seen = (seat) => table.as === "arbiter" || table.as === String(seat);
  const shown = state.phase === "playing";
  return {
    ...table,
    ...state,
    as: table.as,
    hands: state.hands.map((hand, seat) => (seen(seat) ? hand : hand.map(() => null))),
    aside: table.as === "arbiter" ? state.aside : state.aside.map(() => null),
    chosen: state.chosen.map((recipe, seat) =>
      recipe === null || shown || seen(seat) ? recipe : "hidden",
    ),
    piles: state.captured.map((pile) => pile.length),
  };
}

/** Go on from a view of the server. */
export function resume(table, play) {
  const hands = play.hand_sizes.map((size, seat) =>
    table.as === String(seat) ? play.hand : Array(size).fill(null),
  );
  return { ...table, ...play, hands, chosen: play.recipes.chosen, left: play.recipes.left };
}
