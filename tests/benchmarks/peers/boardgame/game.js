// A trick-taking game in boardgame.io's own way: follow suit, the highest card takes the trick.
// Three deals of twelve tricks, so that a match is about as long as a table of Potage Sauvage.
import { createRequire } from "node:module";

const { INVALID_MOVE, PlayerView } = createRequire(import.meta.url)("boardgame.io/dist/cjs/core.js");

const SUITS = ["B", "I", "L", "M"];
const RANKS = 9;
const DEALS = 3;

function deal(G, ctx, random) {
  const cards = random.Shuffle(
    SUITS.flatMap((suit) => Array.from({ length: RANKS }, (_, at) => `${suit}${at + 1}`)),
  );
  const size = cards.length / ctx.numPlayers;
  for (const player of ctx.playOrder) {
    G.players[player] = { hand: cards.splice(0, size) };
  }
}

/** Answers the cards of a hand that may be played to a trick. */
export function legal(hand, trick) {
  const following = trick.length ? hand.filter((card) => card[0] === trick[0].card[0]) : [];
  return following.length ? following : hand;
}

function taker(trick) {
  return trick.reduce((best, each) =>
    each.card[0] === best.card[0] && each.card[1] > best.card[1] ? each : best,
  ).player;
}

export const TrickTaking = {
  name: "trick-taking",
  minPlayers: 3,
  maxPlayers: 3,
  playerView: PlayerView.STRIP_SECRETS,

  setup: ({ ctx, random }) => {
    const G = { players: {}, trick: [], taken: {}, dealt: 1, next: "0", secret: {} };
    for (const player of ctx.playOrder) G.taken[player] = 0;
    deal(G, ctx, random);
    return G;
  },

  turn: {
    minMoves: 1,
    maxMoves: 1,
    order: { first: () => 0, next: ({ G }) => Number(G.next) },
  },

  moves: {
    playCard: {
      // The client has not the others' hands, so only the server decides.
      client: false,
      move: ({ G, ctx, random, playerID }, card) => {
        const hand = G.players[playerID].hand;
        if (!legal(hand, G.trick).includes(card)) return INVALID_MOVE;
        hand.splice(hand.indexOf(card), 1);
        G.trick.push({ player: playerID, card });
        G.next = String((Number(playerID) + 1) % ctx.numPlayers);
        if (G.trick.length < ctx.numPlayers) return undefined;
        G.next = taker(G.trick);
        G.taken[G.next] += 1;
        G.trick = [];
        if (hand.length === 0 && G.dealt < DEALS) {
          G.dealt += 1;
          deal(G, ctx, random);
        }
        return undefined;
      },
    },
  },

  endIf: ({ G, ctx }) =>
    G.dealt === DEALS && ctx.playOrder.every((player) => G.players[player]?.hand.length === 0)
      ? { taken: G.taken }
      : undefined,
};
