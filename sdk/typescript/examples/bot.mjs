// A bot: sits down at its own table against the server's bot and plays at random to the end.
import { Client } from "abraxas-client";

const [url = "http://127.0.0.1:8000", game = "magic_cooking"] = process.argv.slice(2);

const client = new Client(url);
await client.signUp("Random bot");
const table = await client.openTable({ game, seats: 2, bots: { 1: "greedy" } });
console.log(`Watch it at ${url}/replay/${table.id}`);

for await (const view of client.watch(table.id)) {
  if (view.to_move.includes(view.viewer.seat)) {
    const move = view.moves[Math.floor(Math.random() * view.moves.length)];
    await client.send(table.id, move, { onlyAt: view.version }).catch((problem) => {
      // The other bot was faster: the next view shows it.
      if (problem.code !== "stale-version") throw problem;
    });
  }
  if (view.phase === "over") console.log("Over:", JSON.stringify(view.result));
}
