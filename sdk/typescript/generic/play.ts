// A client made of nothing but openapi-typescript's types and openapi-fetch plays a move.

import createClient from "openapi-fetch";
import type { paths } from "../src/openapi.js";

export async function play(url: string, game: string): Promise<{ before: number; after: number }> {
  const guest = await createClient<paths>({ baseUrl: url }).POST("/v1/players", { body: { name: "Generic" } });
  if (!guest.data) throw new Error(guest.error.code);
  const client = createClient<paths>({
    baseUrl: url,
    headers: { Authorization: `Bearer ${guest.data.token}` },
  });
  const opened = await client.POST("/v1/tables", {
    body: { game, seats: 2, bots: { "1": "greedy" } },
  });
  if (!opened.data) throw new Error(opened.error.code);
  const table = opened.data.id;
  for (;;) {
    const looked = await client.GET("/v1/tables/{table}", { params: { path: { table } } });
    if (!looked.data) throw new Error(looked.error.code);
    const { version, moves, to_move } = looked.data;
    if (!to_move.includes(0)) continue;
    const played = await client.POST("/v1/tables/{table}/commands", {
      params: { path: { table }, header: { "Idempotency-Key": "generic-1" } },
      body: moves[0] as never,
    });
    if (!played.data) throw new Error(played.error.code);
    return { before: version, after: played.data.version };
  }
}
