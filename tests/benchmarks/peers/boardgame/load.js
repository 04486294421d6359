// Plays matches over boardgame.io's own protocol: node load.js PORT CLIENTS SECONDS MATCHES
// So many matches are under way at once, each with one move; all three players listen. What is
// prepared beforehand (matches, seats, connections) does not count.
import { createRequire } from "node:module";
import { legal } from "./game.js";

const { io } = createRequire(import.meta.url)("socket.io-client");
const [port, clients, seconds, matches] = process.argv.slice(2).map(Number);
const NAME = "trick-taking";
const LOBBY = `http://127.0.0.1:${port}/games/${NAME}`;
const PLAYERS = ["0", "1", "2"];

async function post(path, body) {
  const answer = await fetch(LOBBY + path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

/** Opens a match, sits three players down, and connects each. */
async function open() {
  const { matchID } = await post("/create", { numPlayers: PLAYERS.length });
  const match = { matchID, credentials: {}, sockets: {}, hands: {}, state: null, moved: null };
  for (const playerID of PLAYERS) {
    const joined = await post(`/${matchID}/join`, { playerID, playerName: `player ${playerID}` });
    match.credentials[playerID] = joined.playerCredentials;
    await connect(match, playerID);
  }
  return match;
}

function connect(match, playerID) {
  const socket = io(`http://127.0.0.1:${port}/${NAME}`, { transports: ["websocket"], forceNew: true });
  match.sockets[playerID] = socket;
  return new Promise((ready, failed) => {
    socket.on("connect_error", failed);
    socket.on("connect", () =>
      socket.emit("sync", match.matchID, playerID, match.credentials[playerID], PLAYERS.length),
    );
    socket.on("sync", (_, sync) => {
      seen(match, playerID, sync.state);
      ready();
    });
    socket.on("update", (_, state) => {
      seen(match, playerID, state);
      if (match.moved && match.moved.by === playerID && state._stateID > match.moved.at) {
        answered(match, playerID);
      }
    });
  });
}

function seen(match, playerID, state) {
  match.hands[playerID] = { at: state._stateID, cards: state.G.players[playerID]?.hand ?? [] };
  if (match.state === null || state._stateID >= match.state._stateID) match.state = state;
}

const times = [];
let under = 0;
let begun = 0;
let cpu;
let over;

/** Makes the next move of a match; answers whether there was one. */
function move(match) {
  const { state } = match;
  if (state.ctx.gameover) return false;
  const by = state.ctx.currentPlayer;
  const hand = match.hands[by];
  if (hand.at < state._stateID) {
    // The one who moves next has not yet been told of the move before.
    setImmediate(() => move(match));
    return true;
  }
  const cards = legal(hand.cards, state.G.trick);
  const card = cards[Math.floor(Math.random() * cards.length)];
  match.moved = { by, at: state._stateID, since: performance.now() };
  match.sockets[by].emit(
    "update",
    {
      type: "MAKE_MOVE",
      payload: { type: "playCard", args: [card], playerID: by, credentials: match.credentials[by] },
    },
    state._stateID,
    match.matchID,
    by,
  );
  return true;
}

function answered(match) {
  const now = performance.now();
  times.push(now - match.moved.since);
  match.moved = null;
  if (now - begun < seconds * 1000) {
    if (move(match)) return;
    const fresh = waiting.pop();
    if (fresh) {
      move(fresh);
      return;
    }
    short = true;
  }
  under -= 1;
  if (under === 0) over();
}

let short = false;
const waiting = [];
for (let at = 0; at < matches; at += 1) waiting.push(await open());
const all = [...waiting];
await new Promise((done) => {
  over = done;
  cpu = process.cpuUsage();
  begun = performance.now();
  under = clients;
  for (let at = 0; at < clients; at += 1) move(waiting.pop());
});
const took = (performance.now() - begun) / 1000;
const used = process.cpuUsage(cpu);
times.sort((one, other) => one - other);
console.log(
  JSON.stringify({
    rate: times.length / took,
    p50: times[Math.floor(times.length / 2)],
    p99: times[Math.floor(times.length * 0.99)],
    generator: (used.user + used.system) / 1e6 / took,
    short,
  }),
);
for (const match of all) for (const socket of Object.values(match.sockets)) socket.close();
process.exit(0);
