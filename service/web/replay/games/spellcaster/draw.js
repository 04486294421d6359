// Draws Spellcaster: the mages with their hands and pools, and the four piles between the sides.

import { drawing, h } from "../../element.js";
import { heap, piece } from "../../pieces.js";
import { back, face, pool, sign } from "./art.js";
import { COLOURS, sideOf } from "./table.js";

const MOST_SHOWN = 6; // of the discard pile

/** Draw a table: what lies at each seat, what lies between them, whose turn it is. */
export function draw(table, words, seatName) {
  const say = SAYS[words.language];
  const small = table.hands.length > 2;
  return {
    title: table.turn ? say.turn(table.turn) : "",
    facts: table.turn ? [say.actions(table.actions_left), table.end_after_turn && say.ends].filter(Boolean) : [],
    waiting: table.phase === "over" || !table.turn ? [] : [table.pending?.seat ?? table.active],
    winners: table.winners,
    scores: table.hands.map(() => null),
    places: table.hands.map((hand, seat) => place(table, seat, hand, words, say, seatName, small)),
    centre: middle(table, words, say, seatName),
  };
}

function place(table, seat, hand, words, say, seatName, small) {
  const side = sideOf(seat);
  const own = table.as === String(seat) || (table.as === "arbiter" && !small);
  return [
    h(
      "div",
      { class: "aside" },
      h("b", { class: `side side-${side}` }, say.side(words.name("sides", side))),
      pool("energy", table.energy[side], say.energy),
      pool("sapphires", table.sapphires[side], say.sapphires),
      table.effects.filter((each) => each.side === side).map((each) => effect(each, words, say, seatName)),
    ),
    h(
      "ul",
      { class: own ? "spells" : "spells compact", "aria-label": say.hand(hand.length) },
      hand.map((card) => h("li", {}, card === null ? back() : piece(card, face(card, words, !own)))),
    ),
  ];
}

function effect({ kind, until_turn_of: seat, pile, card }, words, say, seatName) {
  const names = {
    lock: pile && say.lock(words.name("colours", pile)),
    suppress: say.suppress(card ? words.card(card) : words.name("colours", pile)),
  };
  const said = names[kind] ?? words.name("effects", kind);
  return h("span", { class: "effect", title: say.until(seatName(seat)) }, said);
}

function middle(table, words, say, seatName) {
  return h(
    "div",
    { class: "middle" },
    table.winners !== null && h("p", { class: "result" }, say.results[table.reason]),
    h("div", { class: "four" }, COLOURS.map((colour) => pile(table, colour, words, say))),
    h(
      "div",
      { class: "rest" },
      h("figure", {}, heap(table.deck, back, say.deckOf(table.deck)), h("figcaption", {}, say.deck)),
      discard(table.discard, words, say),
      table.pending && pending(table.pending, words, say, seatName),
    ),
  );
}

function pile(table, colour, words, say) {
  const cards = table.piles[colour];
  const top = cards.at(-1);
  const name = words.name("colours", colour);
  const locked = table.effects.some((each) => each.kind === "lock" && each.pile === colour);
  const state = [
    top && facing(top.facing, words, say),
    top && table.used.includes(top.card) && h("span", {}, say.used),
    locked && h("b", {}, say.locked),
    cards.length > 0 && h("span", {}, say.cards(cards.length)),
  ];
  return h(
    "section",
    {
      class: `pile${top ? ` faces-${top.facing}` : ""}${top && top.card === table.casting ? " casting" : ""}`,
      "aria-label": say.pile(name, cards.length),
      "data-pile": colour,
    },
    top
      ? piece(top.card, face(top.card, words))
      : h("p", { class: "note" }, sign(colour, name), say.empty),
    h("div", { class: "state" }, state),
  );
}

function facing(side, words, say) {
  const name = say.facing(words.name("sides", side));
  const arrow = side === 0 ? "M12 20 4 10h5V3h6v7h5z" : "M12 4l8 10h-5v7H9v-7H4z";
  return h("p", { class: `facing side-${side}` }, drawing(24, 24, `<path d="${arrow}" fill="currentColor"/>`), name);
}

function discard(cards, words, say) {
  return h(
    "figure",
    { class: "discard" },
    cards.length > 0
      ? h("ul", { class: "spells compact", "aria-label": say.discardOf(cards.length) }, cards.slice(-MOST_SHOWN).toReversed().map((card) => h("li", {}, piece(card, face(card, words, true)))))
      : h("p", { class: "note" }, "–"),
    h("figcaption", {}, say.discardOf(cards.length)),
  );
}

function pending({ seat, card, kind, options }, words, say, seatName) {
  const names = (options ?? []).map((each) => option(kind, each, words, seatName));
  return h(
    "div",
    { class: "pending" },
    h("p", {}, h("b", {}, say.chooses(seatName(seat))), card && ` · ${words.card(card)}`),
    names.length > 0 && h("p", { class: "options" }, names.map((each) => h("span", {}, each))),
  );
}

function option(kind, id, words, seatName) {
  switch (kind) {
    case "cards":
      return words.card(id);
    case "mage":
      return seatName(Number(id));
    case "choose_one":
      return words.name("branches", id);
    case "pile":
    case "next_enchantment":
      return words.name("colours", id);
    default:
      return words.name("answers", id);
  }
}

const SAYS = {
  en: {
    turn: (n) => `Turn ${n}`,
    actions: (n) => (n === 1 ? "1 action left" : `${n} actions left`),
    ends: "the last turn",
    side: (side) => `Side ${side}`,
    energy: "energy",
    sapphires: "sapphires",
    hand: (n) => `Hand, ${n}`,
    lock: (pile) => `${pile} pile locked`,
    suppress: (card) => `${card} silenced`,
    until: (who) => `until the turn of ${who}`,
    deck: "deck",
    deckOf: (n) => `Deck, ${n}`,
    discardOf: (n) => `discard pile, ${n}`,
    pile: (name, n) => `${name} pile, ${n}`,
    facing: (side) => `faces side ${side}`,
    cards: (n) => (n === 1 ? "1 card" : `${n} cards`),
    used: "used this turn",
    locked: "locked",
    empty: "empty",
    chooses: (who) => `${who} chooses`,
    results: {
      energy: "No energy left: the game is over",
      sapphires: "Fifteen sapphires: the game is over",
      deck: "The deck is at its end: the game is over",
      concede: "Conceded: the game is over",
      draw: "A draw",
    },
  },
  fr: {
    turn: (n) => `Tour ${n}`,
    actions: (n) => (n < 2 ? `${n} action restante` : `${n} actions restantes`),
    ends: "le dernier tour",
    side: (side) => `Camp ${side}`,
    energy: "énergie",
    sapphires: "saphirs",
    hand: (n) => `Main, ${n}`,
    lock: (pile) => `pile ${pile} verrouillée`,
    suppress: (card) => `${card} : sans effet`,
    until: (who) => `jusqu'au tour de : ${who}`,
    deck: "pioche",
    deckOf: (n) => `Pioche, ${n}`,
    discardOf: (n) => `défausse, ${n}`,
    pile: (name, n) => `pile ${name}, ${n}`,
    facing: (side) => `tournée vers ${side}`,
    cards: (n) => (n < 2 ? `${n} carte` : `${n} cartes`),
    used: "servie ce tour",
    locked: "verrouillée",
    empty: "vide",
    chooses: (who) => `${who} choisit`,
    results: {
      energy: "Plus d'énergie : la partie est finie",
      sapphires: "Quinze saphirs : la partie est finie",
      deck: "La pioche est finie : la partie aussi",
      concede: "Abandon : la partie est finie",
      draw: "Match nul",
    },
  },
};
