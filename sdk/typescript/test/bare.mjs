// Plays in a world where there is only what React Native has: no streams, no crypto, no
// TextDecoder, no URL, and a Response without a body.

import { readFile } from "node:fs/promises";
import { createContext, SourceTextModule } from "node:vm";

const [url, game] = process.argv.slice(2);
let streams = 0;

const world = createContext({
  url,
  game,
  say: console.log,
  setTimeout,
  clearTimeout,
  AbortController,
  Response: class {},
  fetch(input, init) {
    if (init.headers.Accept === "text/event-stream") streams += 1;
    return fetch(input, init);
  },
});

const modules = new Map();

async function load(address) {
  const known = modules.get(address.href);
  if (known) return known;
  const source = await readFile(address, "utf8");
  const module = new SourceTextModule(source, { context: world, identifier: address.href });
  modules.set(address.href, module);
  return module;
}

const main = new SourceTextModule(
  `
  import { Client } from "./index.js";
  const client = new Client(url);
  await client.signUp();
  const { id } = await client.openTable({ game, seats: 2, bots: { 1: "greedy" } });
  let notices = 0;
  const counting = (async () => {
    for await (const notice of client.follow(id)) notices = notice.version;
  })();
  let last;
  for await (const view of client.watch(id)) {
    last = view;
    if (!view.to_move.includes(0)) continue;
    await client.send(id, view.moves[0], { onlyAt: view.version }).catch((problem) => {
      if (problem.code !== "stale-version") throw problem;
    });
  }
  await counting;
  say(\`\${last.phase}, \${notices} notices\`);
  `,
  { context: world, identifier: new URL("../dist/main.js", import.meta.url).href },
);
await main.link((specifier, { identifier }) => load(new URL(specifier, identifier)));
await main.evaluate();
console.log(`${streams} streams`);
