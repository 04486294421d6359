// Draws Magic Cooking: a mage and a hand at each seat, and the cauldron between them.

import { h } from "../../element.js";
import { fan, heap, piece, spread, tally } from "../../pieces.js";
import { back, face, mage } from "./art.js";
import { hiddenIn, SPELLS, waitingFor } from "./table.js";

/** Draw a table: what lies at each seat, what lies between them, whose turn it is. */
export function draw(table, words, seatName) {
  const say = SAYS[words.language];
  const card = (id) => face(id, words);
  return {
    title: table.round ? say.round(table.round, table.rounds) : "",
    facts: table.scored ? [say.scored] : table.locked ? [say.locked] : [],
    waiting: table.scored ? [] : waitingFor(table),
    winners: table.winners,
    scores: table.scores.map((score) => ({ value: score, name: say.points })),
    places: table.hands.map((hand, seat) => place(table, seat, hand, words, say, card)),
    centre: table.scored ? scoreSheet(table, say, seatName, card) : hearth(table, words, say, seatName, card),
  };
}

function place(table, seat, hand, words, say, card) {
  const id = table.mages[seat];
  const titles = [
    table.ordome === seat && say.ordome,
    table.estueux === seat && say.estueux,
    table.scored && table.last_round.uscul.includes(seat) && say.uscul,
  ].filter(Boolean);
  return [
    h(
      "div",
      { class: "aside" },
      id && figure(id, table.spent[seat], words, say),
      h("div", { class: "titles" }, titles.map((each) => h("span", { class: "title-tag" }, each)), table.auto_pass[seat] && h("span", { class: "title-tag faint" }, say.auto)),
      heap(table.piles[seat], back, say.captured(table.piles[seat])),
      table.abraxas[seat] > 0 && h("span", { class: "abraxas" }, `${table.abraxas[seat]} × Abraxas`),
    ),
    fan(hand, card, back, say.hand(hand.length)),
  ];
}

function figure(id, spent, words, say) {
  const name = words.name("mages", id);
  const spell = words.name("spells", SPELLS[id]);
  const state = spent ? say.spent : say.ready;
  return h(
    "div",
    { class: spent ? "figure spent" : "figure" },
    mage(id, name, spent, `${name}: ${spell}, ${state}`),
    h("small", {}, h("b", {}, spell), " ", state),
  );
}

function hearth(table, words, say, seatName, card) {
  const { visible, pending, taken, secret } = table;
  const hidden = hiddenIn(table);
  const lying = taken ? taken.cards.map((each) => ({ card: each, by: null })) : visible;
  const under = (by) => (by === null ? null : seatName(by));
  return h(
    "div",
    { class: "hearth" },
    h(
      "div",
      { class: "piles" },
      h("figure", {}, heap(table.draw_pile, back, say.drawPile(table.draw_pile)), h("figcaption", {}, say.draw)),
      hidden > 0 && h("figure", {}, heap(hidden, back, say.secretPile), h("figcaption", {}, say.secret)),
    ),
    h(
      "div",
      { class: taken ? "cauldron taken" : "cauldron" },
      h("h4", {}, taken ? say.taken(seatName(taken.by), taken.abraxas) : say.cauldron),
      lying.length > 0
        ? spread(lying.map((laid, i) => ({ card: laid.card, face: card(laid.card), under: under(laid.by), fresh: !pending && !taken && i === lying.length - 1 })), say.cauldron)
        : h("p", { class: "note" }, say.empty),
    ),
    pending && played(pending, words, say, seatName, card),
    table.stack.length > 0 && stack(table.stack, words, say, seatName),
    secret?.length > 0 && h("details", {}, h("summary", {}, say.secret), spread(secret.map((each) => ({ card: each, face: card(each) })), say.secret)),
    table.removed.length > 0 && h("details", {}, h("summary", {}, say.removed(table.removed.length)), fan(table.removed, card, back, say.removed(table.removed.length))),
  );
}

function played(pending, words, say, seatName, card) {
  return h(
    "div",
    { class: "played" },
    h("h4", {}, say.played(seatName(pending.seat))),
    h("div", { class: "fresh" }, pending.card === null ? back() : piece(pending.card, card(pending.card))),
    pending.as && h("p", { class: "note" }, say.as(words.card(pending.as))),
    pending.taking && h("p", { class: "note" }, pending.abraxas ? say.abraxas : say.match),
  );
}

function stack(spells, words, say, seatName) {
  const names = spells.map(({ seat, spell, victim, card, swap, counter }) => {
    const aim = [
      victim !== undefined && seatName(victim),
      card && words.card(card),
      swap && words.card(swap),
      counter && say.counter,
    ].filter(Boolean);
    return h("li", {}, h("b", {}, words.name("spells", spell)), ` ${seatName(seat)}`, aim.length > 0 && h("small", {}, ` → ${aim.join(", ")}`));
  });
  return h("div", { class: "stack" }, h("h4", {}, say.stack), h("ol", { reversed: true }, names.toReversed()));
}

function scoreSheet(table, say, seatName, card) {
  const { stars, bonus, abraxas, scores, captured } = table.last_round;
  return h(
    "div",
    { class: "sheet" },
    captured.map((cards, seat) =>
      h(
        "section",
        {},
        h("h4", {}, h("span", {}, seatName(seat), h("small", {}, say.sum(stars[seat], bonus[seat], abraxas[seat]))), tally(scores[seat])),
        cards.length > 0 ? fan(cards, card, back, say.captured(cards.length)) : h("p", { class: "note" }, say.nothing),
      ),
    ),
  );
}

const SAYS = {
  en: {
    round: (n, all) => `Round ${n} of ${all}`,
    scored: "scored",
    locked: "no more spells this round",
    points: "points",
    ordome: "Ordome",
    estueux: "Estueux",
    uscul: "Uscul",
    auto: "passes by itself",
    captured: (n) => (n === 1 ? "1 card captured" : `${n} cards captured`),
    hand: (n) => `Hand, ${n}`,
    spent: "spent",
    ready: "ready",
    draw: "draw pile",
    drawPile: (n) => `Draw pile, ${n}`,
    secret: "Secret Cauldron",
    secretPile: "Secret Cauldron, 3 cards face down",
    cauldron: "Cauldron",
    empty: "The cauldron is empty",
    taken: (who, abraxas) => (abraxas ? `Abraxas! ${who} takes` : `${who} takes`),
    played: (who) => `${who} plays`,
    as: (card) => `passes for ${card}`,
    match: "a match",
    abraxas: "Abraxas!",
    stack: "Spells waiting, top first",
    counter: "the spell below",
    removed: (n) => (n === 1 ? "1 card removed" : `${n} cards removed`),
    sum: (stars, bonus, abraxas) => `★ ${stars} + majority ${bonus} + Abraxas ${abraxas * 10}`,
    nothing: "nothing captured",
  },
  fr: {
    round: (n, all) => `Manche ${n} sur ${all}`,
    scored: "comptée",
    locked: "plus de sorts dans cette manche",
    points: "points",
    ordome: "Ordome",
    estueux: "Estueux",
    uscul: "Uscul",
    auto: "passe tout seul",
    captured: (n) => (n < 2 ? `${n} carte ramassée` : `${n} cartes ramassées`),
    hand: (n) => `Main, ${n}`,
    spent: "lancé",
    ready: "prêt",
    draw: "pioche",
    drawPile: (n) => `Pioche, ${n}`,
    secret: "Chaudron secret",
    secretPile: "Chaudron secret, 3 cartes face cachée",
    cauldron: "Chaudron",
    empty: "Le chaudron est vide",
    taken: (who, abraxas) => (abraxas ? `Abraxas ! Pli pour ${who}` : `Pli pour ${who}`),
    played: (who) => `${who} joue`,
    as: (card) => `passe pour ${card}`,
    match: "une paire",
    abraxas: "Abraxas !",
    stack: "Sorts en attente, le dernier d'abord",
    counter: "le sort du dessous",
    removed: (n) => (n < 2 ? `${n} carte retirée` : `${n} cartes retirées`),
    sum: (stars, bonus, abraxas) => `★ ${stars} + majorité ${bonus} + Abraxas ${abraxas * 10}`,
    nothing: "rien de ramassé",
  },
};
