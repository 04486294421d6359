// Draws Potage Sauvage: a place for each seat, and the pot between them.

import { h } from "../../element.js";
import { fan, heap, spread, tally } from "../../pieces.js";
import { back, face, pot, recipeCard, suitMark, suitOf } from "./art.js";

/** Draw a table: what lies at each seat, what lies between them, whose turn it is. */
export function draw(table, words, seatName) {
  const say = says(words.language);
  const card = (id) => face(id, words);
  return {
    title: say.deal(table.deal),
    facts: [table.scored ? say.scored : say.dealer(seatName(table.dealer))],
    waiting: waiting(table),
    winners: table.winners,
    scores: table.scores.map((score) => ({ value: score, name: say.points })),
    places: table.hands.map((hand, seat) => place(table, seat, hand, words, say, card)),
    centre: table.scored ? scoreSheet(table, words, say, seatName, card) : kitchen(table, words, say, seatName, card),
  };
}

function waiting(table) {
  if (table.phase === "over" || table.scored) return [];
  if (table.phase === "playing") return [table.active];
  return table.chosen.flatMap((recipe, seat) => (recipe === null ? [seat] : []));
}

function place(table, seat, hand, words, say, card) {
  const chosen = table.chosen[seat];
  const name = chosen === "hidden" ? say.hidden : words.name("recipes", chosen);
  const left = table.left[seat].filter((each) => each !== chosen);
  return [
    h(
      "div",
      { class: "aside" },
      h("div", { class: "chosen" }, chosen && recipeCard(chosen, name), h("small", {}, chosen ? name : say.none)),
      left.length > 0 &&
        h(
          "div",
          { class: "left", role: "img", "aria-label": `${say.left}: ${left.map((each) => words.name("recipes", each)).join(", ")}`, title: say.left },
          left.map((each) => recipeCard(each, null)),
        ),
      heap(table.piles[seat], back, say.captured(table.piles[seat])),
    ),
    fan(hand, card, back, say.hand(hand.length)),
  ];
}

function kitchen(table, words, say, seatName, card) {
  const { trick, taken } = table;
  const lying = taken?.cards ?? trick.cards;
  const sum = taken?.sum ?? trick.sum;
  const note = taken ? say.boils(seatName(taken.by)) : trick.free ? say.free : trick.led ? null : say.empty;
  const led = !taken && trick.led && !trick.free;
  return h(
    "div",
    { class: taken ? "kitchen taken" : "kitchen" },
    h(
      "div",
      { class: "stove" },
      pot(sum, Boolean(taken), say.sum(sum)),
      h(
        "p",
        { class: "note" },
        led && [suitMark(trick.led), " ", say.led(words.name("suits", trick.led))],
        note,
      ),
    ),
    lying.length > 0 &&
      spread(
        lying.map((laid, i) => ({
          face: card(laid.card),
          card: laid.card,
          under: seatName(laid.seat),
          fresh: i === lying.length - 1,
        })),
        say.inPot,
      ),
    table.aside.length > 0 &&
      (table.as === "arbiter" && table.aside[0] !== null
        ? h("details", { class: "aside-cards" }, h("summary", {}, say.aside(table.aside.length)), fan(table.aside, card, back, say.aside(table.aside.length)))
        : h("p", { class: "note" }, say.aside(table.aside.length))),
  );
}

function scoreSheet(table, words, say, seatName, card) {
  const { recipes, captured, scores } = table.last_deal;
  return h(
    "div",
    { class: "sheet" },
    recipes.map((recipe, seat) =>
      h(
        "section",
        {},
        h("h4", {}, recipeCard(recipe, null), h("span", {}, seatName(seat), h("small", {}, words.name("recipes", recipe))), tally(scores[seat])),
        captured[seat].length > 0
          ? fan(bySuit(captured[seat]), card, back, say.captured(captured[seat].length))
          : h("p", { class: "note" }, say.nothing),
      ),
    ),
  );
}

function bySuit(cards) {
  const order = ["insects", "vegetables", "fruits", "waste"];
  return cards.toSorted((a, b) => order.indexOf(suitOf(a)) - order.indexOf(suitOf(b)));
}

const says = (language) => SAYS[language];

const SAYS = {
  en: {
    deal: (n) => `Deal ${n} of 5`,
    dealer: (who) => `dealt by ${who}`,
    scored: "scored",
    points: "points",
    hidden: "a recipe, face down",
    none: "no recipe yet",
    left: "Recipes left",
    captured: (n) => (n === 1 ? "1 card captured" : `${n} cards captured`),
    hand: (n) => `Hand, ${n}`,
    boils: (who) => `It boils over: ${who} takes the trick`,
    free: "Waste in the pot: any suit may follow",
    led: (suit) => `${suit} led`,
    empty: "The pot is empty",
    sum: (n) => `The pot is at ${n}`,
    inPot: "In the pot",
    aside: (n) => `${n} cards set aside`,
    nothing: "nothing captured",
  },
  fr: {
    deal: (n) => `Donne ${n} sur 5`,
    dealer: (who) => `donnée par : ${who}`,
    scored: "comptée",
    points: "points",
    hidden: "une recette, face cachée",
    none: "pas encore de recette",
    left: "Recettes restantes",
    captured: (n) => (n < 2 ? `${n} carte ramassée` : `${n} cartes ramassées`),
    hand: (n) => `Main, ${n}`,
    boils: (who) => `Ça déborde : pli pour ${who}`,
    free: "Déchets dans la marmite : couleur libre",
    led: (suit) => `${suit} demandés`,
    empty: "La marmite est vide",
    sum: (n) => `La marmite est à ${n}`,
    inPot: "Dans la marmite",
    aside: (n) => `${n} cartes écartées`,
    nothing: "rien de ramassé",
  },
};
