// boardgame.io's server as its documentation starts it: matches in memory, no logging of requests.
import { createRequire } from "node:module";
import { TrickTaking } from "./game.js";

const { Server } = createRequire(import.meta.url)("boardgame.io/dist/cjs/server.js");

const server = Server({ games: [TrickTaking], origins: [/.*/] });
const running = await server.run({ port: 0, callback: () => {} });
console.log(JSON.stringify({ port: running.appServer.address().port }));
