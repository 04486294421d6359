// Whole tables against a real server, over networks that lose and cut.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { Client, ProblemError, UnreachableError } from "abraxas-client";

import { play as playGeneric } from "../build/generic/play.js";
import { dice, torn } from "./broken-network.mjs";
import { gathered, play, serving, toldByPages } from "./server.mjs";

const run = promisify(execFile);
const file = (path) => fileURLToPath(new URL(path, import.meta.url));
let server;

before(async () => (server = await serving()));
after(() => server.stop());

async function seated(settings) {
  const client = new Client(server.url, settings);
  await client.signUp("Ana");
  const { id } = await client.openTable({ game: server.game, seats: 2, bots: { 1: "greedy" } });
  return { client, table: id };
}

test("the example has twenty lines and plays to the end", async () => {
  const example = file("../examples/bot.mjs");
  const lines = (await readFile(example, "utf8")).split("\n").filter(Boolean);
  assert.ok(lines.length <= 20);
  const { stdout } = await run(process.execPath, [example, server.url, server.game]);
  assert.match(stdout, /^Over: \{/m);
});

for (const seed of [1, 2]) {
  test(`nothing is lost or doubled on a network that breaks (${seed})`, async () => {
    const network = torn(dice(seed));
    const { client, table } = await seated({ fetch: network.fetch });
    const [told] = await Promise.all([gathered(client, table), play(client, table)]);
    assert.ok(network.lost > 0 && network.cut > 0);
    assert.deepEqual(told, await toldByPages(client, table));
    assert.equal((await client.table(table)).phase, "over");
  });
}

test("a command whose answer is lost counts once", async () => {
  const keys = [];
  const { client, table } = await seated({
    fetch: async (input, init) => {
      const answer = await fetch(input, init);
      if (!String(input).endsWith("/commands")) return answer;
      keys.push(init.headers["Idempotency-Key"]);
      if (keys.length < 3) throw new TypeError("lost");
      return answer;
    },
  });
  for await (const view of client.watch(table)) {
    if (!view.to_move.includes(0)) continue;
    const outcome = await client.send(table, view.moves[0]);
    const { items } = await client.events(table, { after: view.version });
    assert.deepEqual(items.slice(0, outcome.notices.length), outcome.notices);
    break;
  }
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
});

test("a stale wish that was queued is refused, and a known one is answered again", async () => {
  const { client, table } = await seated();
  for await (const view of client.watch(table)) {
    if (!view.to_move.includes(0)) continue;
    const wish = { key: "queued-1", onlyAt: view.version };
    const outcome = await client.send(table, view.moves[0], wish);
    assert.deepEqual(await client.send(table, view.moves[0], wish), outcome);
    const stale = client.send(table, view.moves[0], { onlyAt: 1 });
    await assert.rejects(stale, (error) => error.code === "stale-version");
    break;
  }
});

for (const [missing, last] of [["streams", "wait=25"], ["the live process", "/events?after="]]) {
  test(`without ${missing}, pages are asked for`, async () => {
    const { client, table } = await seated();
    const asked = [];
    const api = new URL(server.url).port;
    const listener = new Client(server.url, {
      token: client.token,
      fetch: async (input, init) => {
        if (String(input).includes("/events")) asked.push(String(input));
        const streams = init.headers.Accept === "text/event-stream";
        const live = new URL(input).port !== api;
        if (missing === "streams" ? streams : live) throw new TypeError("nobody there");
        return fetch(input, init);
      },
    });
    const [told] = await Promise.all([gathered(listener, table), play(client, table)]);
    assert.deepEqual(told, await toldByPages(client, table));
    assert.ok(asked.some((address) => address.includes(last)));
  });
}

test("my tables are told as they change on a network that breaks", async () => {
  const network = torn(dice(5));
  const client = new Client(server.url, { fetch: network.fetch });
  const steady = new Client(server.url);
  client.token = (await steady.signUp()).token;
  const { after } = await client.myTables();
  const tables = [];
  for (let each = 0; each < 6; each += 1) {
    tables.push((await steady.openTable({ game: server.game, seats: 2 })).id);
  }
  const told = toldOfMine(client, tables.at(-1), { after });
  // Tables are told of in any order, those that the list knows before all that comes later.
  while ((await steady.myTables()).items.length < tables.length);
  for (const table of tables.slice(0, -1)) await steady.leave(table, 0);
  while ((await steady.myTables()).items.length > 1);
  await steady.leave(tables.at(-1), 0);
  const items = await told;
  assert.ok(network.cut > 0);
  const left = items.filter((item) => item.left).map((item) => item.id);
  assert.deepEqual(new Set(left), new Set(tables));
  const known = items.map((item) => `${item.id} ${item.version}`);
  assert.equal(new Set(known).size, known.length);
});

for (const streams of [true, false]) {
  test(`my tables go on where an item was, ${streams ? "streamed" : "by pages"}`, async () => {
    const client = new Client(server.url, { streams });
    await client.signUp();
    const first = (await client.openTable({ game: server.game, seats: 2 })).id;
    // Tables are told of in any order, those that the list knows before all that comes later.
    while ((await client.myTables()).items.length === 0);
    const second = (await client.openTable({ game: server.game, seats: 2 })).id;
    const mine = client.followMine();
    const items = [(await mine.next()).value, (await mine.next()).value];
    assert.deepEqual(items.map((item) => item.id), [first, second]);
    await client.leave(first, 0);
    const again = client.followMine({ after: items[0].after });
    for (const followed of [mine, again]) {
      const { value } = await followed.next();
      assert.equal(value.id, followed === mine ? first : second);
    }
    assert.deepEqual((await again.next()).value.left, true);
    await Promise.all([mine.return(), again.return()]);
  });
}

test("a wrong token hears of no table", async () => {
  const client = new Client(server.url, { token: `abx_${"0".repeat(43)}` });
  await assert.rejects(client.followMine().next(), (error) => error.status === 401);
});

async function toldOfMine(client, last, following) {
  const told = [];
  for await (const item of client.followMine(following)) {
    told.push(item);
    if (item.id === last && item.left) break;
  }
  return told;
}

test("where there is nothing of Node and no stream, a table is played all the same", async () => {
  const bare = ["--experimental-vm-modules", file("./bare.mjs"), server.url, server.game];
  const { stdout } = await run(process.execPath, bare);
  assert.match(stdout, /^over, [1-9]\d+ notices\n0 streams$/m);
});

test("a follower is ended from outside", async () => {
  const { client, table } = await seated();
  const leaving = new AbortController();
  const told = gathered(client, table, { signal: leaving.signal });
  leaving.abort();
  await told;
  assert.equal((await client.table(table)).phase, "playing");
});

test("what the server refuses is a problem and is not repeated", async () => {
  let asked = 0;
  const client = new Client(server.url, { fetch: (...call) => ((asked += 1), fetch(...call)) });
  const nowhere = "00000000-0000-4000-8000-000000000000";
  await assert.rejects(client.table(nowhere), (error) => {
    assert.ok(error instanceof ProblemError);
    assert.deepEqual([error.status, error.code], [404, "unknown-table"]);
    return true;
  });
  assert.equal(asked, 1);
});

test("nobody there is told when patience ends", async () => {
  const fetch = () => Promise.reject(new TypeError("nobody there"));
  const client = new Client("http://test", { fetch, patience: 500 });
  await assert.rejects(client.games(), UnreachableError);
});

function answering(...answers) {
  const asked = [];
  const fetch = async (...call) => (asked.push(call), answers[asked.length - 1]);
  return { asked, client: new Client("http://test", { fetch }) };
}

const problem = (status, code) => Response.json({ code }, { status });

test("what may have counted and has no key is not repeated", async () => {
  const { asked, client } = answering(problem(503, "outcome-unknown"));
  await assert.rejects(client.request("POST", "/v1/me/tokens", { body: {} }), ProblemError);
  assert.equal(asked.length, 1);
});

for (const [status, code] of [[429, "slow-down"], [503, "store-unavailable"]]) {
  test(`after ${code} even a wish without a key is repeated`, async () => {
    const { asked, client } = answering(problem(status, code), Response.json({ id: "1" }));
    assert.deepEqual(await client.request("POST", "/v1/me/tokens", { body: {} }), { id: "1" });
    assert.equal(asked.length, 2);
  });
}

test("an empty bucket is waited for", async (context) => {
  context.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const headers = { RateLimit: '"reads";r=0;t=7' };
  const { asked, client } = answering(Response.json({}, { headers }), Response.json({}));
  const turns = async () => { for (let at = 0; at < 50; at += 1) await Promise.resolve(); };
  const first = client.games();
  context.mock.timers.tick(0);
  await first;
  const second = client.games();
  await turns();
  context.mock.timers.tick(6999);
  await turns();
  assert.equal(asked.length, 1);
  context.mock.timers.tick(1);
  await second;
  assert.equal(asked.length, 2);
});

test("a client of openapi-typescript and openapi-fetch plays a move", async () => {
  const { before, after } = await playGeneric(server.url, server.game);
  assert.ok(after > before);
});
