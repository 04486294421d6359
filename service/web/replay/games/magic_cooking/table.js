// Folds the events of Magic Cooking; the names are those of the game's view.
//
// A hand is a list of cards; null is one that this perspective does not see.

export const SPELLS = {
  brady: "permutation",
  emilien: "burn",
  enrico: "falsification",
  from: "in_full_light",
  gordon: "freeze",
  moka: "gust",
};
const SECRET = 3;
const HAND = 4;

/** Answer the table before the mages are dealt. */
export function initial({ seats, options, deck }, as) {
  return {
    as,
    deck,
    spells_enabled: options.spells_enabled,
    round: 0,
    rounds: options.rounds,
    phase: "turn",
    active: null,
    ordome: null,
    estueux: null,
    last_capturer: null,
    mages: [],
    spent: Array(seats).fill(false),
    auto_pass: Array(seats).fill(false),
    hands: Array(seats).fill([]),
    visible: [],
    secret: null,
    draw_pile: 0,
    piles: Array(seats).fill(0),
    abraxas: Array(seats).fill(0),
    scores: Array(seats).fill(0),
    removed: [],
    locked: false,
    pending: null,
    stack: [],
    passed: [],
    last_round: null,
    taken: null,
    scored: false,
    winners: null,
  };
}

/** Answer how many cards lie face down in the cauldron. */
export function hiddenIn(table) {
  return table.lit && table.estueux === null ? SECRET : 0;
}

/** Answer the seats that the table waits for. */
export function waitingFor(table) {
  if (table.phase === "over") return [];
  if (table.phase !== "reaction") return table.active === null ? [] : [table.active];
  return table.hands
    .map((_, seat) => seat)
    .filter((seat) => !table.auto_pass[seat] && !table.passed.includes(seat))
    .filter((seat) => couldAnswer(table, seat));
}

function couldAnswer(table, seat) {
  const held = table.spells_enabled && table.estueux !== null && !table.locked && !table.spent[seat];
  const taking = table.pending !== null && table.pending.taking;
  switch (held && SPELLS[table.mages[seat]]) {
    case "in_full_light":
      return table.stack.length > 0;
    case "burn":
      return table.stack.length > 0 || taking;
    case "freeze":
    case "gust":
      return taking;
    default:
      return false;
  }
}

/** Apply an event. */
export function apply(table, kind, event) {
  const shows = table.scored && (kind === "GameEnded" || kind === "DiceRolled");
  const next = { ...table, taken: null, scored: shows };
  return cardsApplied(next, kind, event) ?? turned(next, kind, event);
}

function cardsApplied(table, kind, event) {
  switch (kind) {
    case "RoundStarted":
      return {
        ...table,
        round: event.round,
        ordome: event.ordome,
        draw_pile: table.deck.length || 49,
        lit: false,
      };
    case "HandDealt":
    case "CardsDrawn":
      return drawn(table, event.to, event.cards ?? Array(event.count ?? HAND).fill(null));
    case "CauldronLit":
      return {
        ...table,
        lit: true,
        visible: [{ card: event.card, by: null }],
        secret: event.secret ?? null,
        draw_pile: table.draw_pile - 1 - SECRET,
      };
    case "CardRevealed":
      return revealed(table, event);
    case "CardPlaced":
      return { ...table, visible: [...table.visible, { card: event.card, by: event.by }], pending: null };
    case "CauldronLed": {
      const hands = table.hands.with(event.seat, without(table.hands[event.seat], event.card));
      return { ...table, hands, visible: [{ card: event.card, by: event.seat }] };
    }
    case "FirstTrickTaken": {
      const secret = event.secret ?? table.secret;
      return { ...taken(table, event, SECRET), estueux: event.to, secret };
    }
    case "TrickTaken": {
      const count = table.abraxas[event.to] + (event.abraxas ? 1 : 0);
      return { ...taken(table, event, 0), abraxas: table.abraxas.with(event.to, count) };
    }
    case "CardStolen":
      return popped({
        ...table,
        hands: table.hands
          .with(event.victim, without(table.hands[event.victim], event.card))
          .with(event.thief, sorted(table, [...table.hands[event.thief], seen(table, event.thief, event.card)])),
      });
    case "CardsExchanged":
      return exchanged(table, event);
    case "CardBurned":
      return burned(table, event.card);
    case "TrickFrozen":
      return popped({
        ...table,
        visible: [...table.visible, { card: event.card, by: event.capturer }],
        pending: null,
      });
    case "TrickBlown":
      return popped({ ...table, visible: [], pending: null, removed: [...table.removed, ...event.cards] });
    case "LeftoversTaken":
      return leftovers(table, event);
    case "RoundScored":
      return scored(table, event);
    case "PositionSet":
      return event.state ? placed(table, event.state) : null;
    default:
      return null;
  }
}

function turned(table, kind, event) {
  switch (kind) {
    case "MagesDealt":
      return { ...table, mages: event.mages };
    case "TurnStarted":
      return { ...table, phase: "turn", active: event.to };
    case "LeadAwaited":
      return { ...table, phase: "lead", active: event.to };
    case "TrickMade": {
      const as = table.pending?.as ?? null;
      const pending = { seat: event.by, card: event.card, as, taking: true, abraxas: event.abraxas };
      return { ...table, pending, passed: [] };
    }
    case "WindowOpened":
      return { ...table, phase: "reaction", passed: [] };
    case "SeatPassed":
      return { ...table, passed: [...table.passed, event.seat] };
    case "AutoPassSet":
      return { ...table, auto_pass: table.auto_pass.with(event.seat, event.enabled) };
    case "SpellCast":
      return stacked(table, targets(event));
    case "CardDisguised":
    case "SpellFizzled":
      return popped(table);
    case "SpellCancelled": {
      const unmasked = event.struck === "falsification" && table.pending !== null;
      const pending = unmasked ? { ...table.pending, as: null } : table.pending;
      return { ...table, pending, stack: table.stack.slice(0, -2) };
    }
    case "SpellsLocked":
      return { ...table, locked: true };
    case "GameEnded":
      return { ...table, phase: "over", winners: event.winners };
    default:
      return table;
  }
}

function targets({ seat, spell, victim, card, swap, counter }) {
  const shown = Object.entries({ victim, card, swap, counter: counter || null });
  return { seat, spell, ...Object.fromEntries(shown.filter(([, value]) => value !== null)) };
}

function seen(table, seat, card) {
  return table.as === "arbiter" || table.as === String(seat) ? (card ?? null) : null;
}

function sorted(table, hand) {
  const place = (card) => (card === null ? Infinity : table.deck.indexOf(card));
  return hand.toSorted((a, b) => (place(a) === place(b) ? 0 : place(a) - place(b)));
}

function without(hand, card) {
  const at = Math.max(0, hand.includes(card) ? hand.indexOf(card) : hand.indexOf(null));
  return hand.toSpliced(at, 1);
}

function drawn(table, to, cards) {
  const hand = [...table.hands[to], ...cards.map((card) => seen(table, to, card))];
  return {
    ...table,
    hands: table.hands.with(to, sorted(table, hand)),
    draw_pile: table.draw_pile - cards.length,
  };
}

function revealed(table, { seat, card, imitated }) {
  const hands = table.hands.with(seat, without(table.hands[seat], card));
  const pending = { seat, card, as: imitated, taking: false, abraxas: false };
  const played = { ...table, hands, pending };
  if (imitated === null) return played;
  return stacked(played, { seat, spell: "falsification", card, as: imitated });
}

function stacked(table, spell) {
  const spent = table.spent.with(spell.seat, true);
  return { ...table, spent, stack: [...table.stack, spell], passed: [] };
}

function popped(table) {
  return { ...table, stack: table.stack.slice(0, -1) };
}

function taken(table, { to, cards, abraxas = false }, secret) {
  return {
    ...table,
    visible: [],
    pending: null,
    last_capturer: to,
    piles: table.piles.with(to, table.piles[to] + cards.length + secret),
    taken: { by: to, cards, abraxas },
  };
}

function exchanged(table, { by, card, swap }) {
  const at = table.visible.findIndex((laid) => laid.card === swap);
  const heir = { card, by: table.visible[at].by };
  const hand = [...without(table.hands[by], card), seen(table, by, swap)];
  return popped({
    ...table,
    hands: table.hands.with(by, sorted(table, hand)),
    visible: table.visible.with(at, heir),
  });
}

/** Remove the first such card of the cauldron, else the played one. */
function burned(table, card) {
  const at = table.visible.findIndex((laid) => laid.card === card);
  const burnt = { ...table, removed: [...table.removed, card] };
  if (at >= 0) return popped({ ...burnt, visible: table.visible.toSpliced(at, 1) });
  const pending = table.pending && { ...table.pending, card: null };
  return popped({ ...burnt, pending });
}

function leftovers(table, { to, cards }) {
  if (to === null) return { ...table, visible: [], lit: false, removed: [...table.removed, ...cards] };
  return { ...table, visible: [], piles: table.piles.with(to, table.piles[to] + cards.length) };
}

function scored(table, { stars, bonus, abraxas, scores, uscul, captured, totals }) {
  const nothing = Array(totals.length).fill(0);
  return {
    ...table,
    scores: totals,
    last_round: { stars, bonus, abraxas, scores, uscul, captured },
    active: null,
    secret: null,
    lit: false,
    piles: nothing,
    abraxas: nothing,
    removed: [],
    estueux: null,
    last_capturer: null,
    locked: false,
    scored: true,
  };
}

/** Go on from the position of a what-if, as its sealed face tells it. */
function placed(table, state) {
  const { options, secret, draw_pile, piles, estueux } = state;
  const sees = table.as === "arbiter" || (estueux !== null && table.as === String(estueux));
  const renamed = (spell) => (spell ? (({ imitated, ...rest }) => ({ ...rest, as: imitated }))(spell) : null);
  return {
    ...table,
    ...state,
    as: table.as,
    deck: table.deck,
    rounds: options.rounds,
    spells_enabled: options.spells_enabled,
    lit: secret.length > 0 || estueux !== null,
    secret: sees && secret.length ? secret : null,
    hands: state.hands.map((hand, seat) => hand.map((card) => seen(table, seat, card))),
    draw_pile: draw_pile.length,
    piles: piles.map((pile, seat) => pile.length + (seat === estueux ? secret.length : 0)),
    pending: renamed(state.pending),
    stack: state.stack.map(renamed).map(({ as, ...spell }) => ({ ...targets(spell), ...(as && { as }) })),
  };
}

/** Go on from a view of the server. */
export function resume(table, play) {
  return {
    ...table,
    ...play,
    mages: play.mages.map((each) => each.mage),
    spent: play.mages.map((each) => each.spent),
    hands: play.hand_sizes.map((size, seat) =>
      table.as === String(seat) ? play.hand : Array(size).fill(null),
    ),
    visible: play.cauldron.visible,
    secret: play.cauldron.secret,
    lit: play.cauldron.hidden > 0 || play.estueux !== null,
    pending: play.pending && { ...play.pending, taking: play.phase === "reaction" },
  };
}
