// Answers a verdict for each record on standard input: for each, a line with the hash that was
// kept (or nothing) and the record's length in bytes, then the record; one JSON line comes back.
import { verifyRecord } from "../../../service/web/verify.js";

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const input = Buffer.concat(chunks);
for (let at = 0; at < input.length; ) {
  const end = input.indexOf(10, at);
  const [kept, length] = input.toString("latin1", at, end).split(" ");
  const record = new Uint8Array(input.subarray(end + 1, end + 1 + Number(length)));
  at = end + 1 + Number(length);
  console.log(JSON.stringify(await verifyRecord(record, kept || null)));
}
