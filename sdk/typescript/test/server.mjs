// A real server, with its limits on: the one at ABRAXAS_URL, or one started here.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

const COMMAND = process.env.ABRAXAS ?? fileURLToPath(new URL("../../../.venv/bin/abraxas", import.meta.url));

/** Answer the server's address, a game for two that a bot can play, and how to stop it. */
export async function serving() {
  const running = process.env.ABRAXAS_URL;
  if (running) return { url: running, game: await twoSeats(running), stop: async () => {} };
  const data = await mkdtemp(join(tmpdir(), "abraxas-"));
  const server = spawn(COMMAND, ["serve", "--port", "0", "--data", data], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(server, "exit");
  const stop = async () => {
    server.kill("SIGTERM");
    await ended;
    await rm(data, { recursive: true });
  };
  const line = await Promise.race([once(createInterface(server.stdout), "line"), ended]);
  const url = /http:\/\/\S+/.exec(String(line))?.[0];
  if (!url) throw new Error(`it said ${line}`);
  return { url, game: await twoSeats(url), stop };
}

async function twoSeats(url) {
  const { items } = await (await fetch(`${url}/v1/games`)).json();
  return items.find((item) => item.seats.includes(2) && item.bots.length).game;
}

/** Make the first move of a view, if nobody was faster and took it away. */
export async function move(client, { id, moves, version }) {
  await client.send(id, moves[0], { onlyAt: version }).catch((problem) => {
    if (problem.code !== "stale-version") throw problem;
  });
}

/** Play the first move of seat 0 to the end. */
export async function play(client, table) {
  for await (const view of client.watch(table)) {
    if (view.to_move.includes(view.viewer.seat)) await move(client, view);
  }
}

/** Answer what the pages of notices tell. */
export async function toldByPages(client, table) {
  const items = [];
  for (;;) {
    const page = await client.events(table, { after: items.at(-1)?.version ?? 0 });
    items.push(...page.items);
    if (items.length >= page.version) return items;
  }
}

/** Follow a table to its end. */
export async function gathered(client, table, following) {
  const told = [];
  for await (const notice of client.follow(table, following)) told.push(notice);
  return told;
}
