// A stream is read the same wherever it is cut.

import assert from "node:assert/strict";
import { test } from "node:test";

import { Events } from "../dist/events.js";

const STREAM =
  "retry: 1000\n\n:\n\n" +
  'id: 1\ndata: {"text":"Potage \u2028 é"}\n\nid: 2\ndata: {"text":"\u0085"}\n\n' +
  'event: end\ndata: {"version":2}\n\n';
const WANTED = [
  { name: "message", data: '{"text":"Potage \u2028 é"}' },
  { name: "message", data: '{"text":"\u0085"}' },
  { name: "end", data: '{"version":2}' },
];

test("a stream is read the same however it arrives", () => {
  for (const newline of ["\n", "\r\n"]) {
    const stream = STREAM.replaceAll("\n", newline);
    for (const size of [1, 2, 3, 7, stream.length]) {
      const events = new Events();
      const read = [];
      for (let at = 0; at < stream.length; at += size) {
        read.push(...events.feed(stream.slice(at, at + size)));
      }
      assert.deepEqual(read, WANTED);
    }
  }
});

test("an event that was cut off is not told", () => {
  assert.deepEqual(new Events().feed("id: 1\ndata: {}\n"), []);
});
