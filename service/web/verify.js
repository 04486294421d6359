// Checks a record with the browser's own SHA-256: every byte, the chain, the salts, the rolls.
//
// Written from docs/record-format.md and not from the server's program, so that two who could
// err apart must agree. Needs nothing else; runs in a page, in a worker and in Node.

const FORMAT = "abraxas record 1";
const CHECK = 8; // hex digits of a line's check
const DEEPEST = 32; // lists and objects in one another
const MOST_SEATS = 255;
const TWO_TO_32 = 2 ** 32;
const HEADER = "after check commitment deck format game hash options redaction rules seats table";
const BARE = "at check kind public schema version";
const OPENED = ["game", "rules", "options", "seats", "commitment"];

/**
 * Check a record. `kept` is a hash in hex that the table once told, or null.
 *
 * Answers `{ok, line, reason, facts}`: `line` counts from 1 and is null where no line is to blame,
 * `reason` is a code of docs/record-format.md, `facts` say what was read and how far the check went.
 */
export async function verifyRecord(bytes, kept = null) {
  const reading = { header: null, entries: [], hashes: [], complete: false };
  let number = 0;
  try {
    for (const [start, end] of linesOf(bytes)) {
      number += 1;
      await take(reading, bytes, start, end);
    }
    number += 1;
    if (!reading.complete) throw new Damage("ends-early");
    const facts = await prove(reading);
    if (kept === null) return { ok: true, line: null, reason: null, facts };
    const place = reading.hashes.indexOf(kept);
    if (place < 0) return { ok: false, line: null, reason: "head-differs", facts };
    facts.kept = reading.header.after + place;
    return { ok: true, line: null, reason: null, facts };
  } catch (damage) {
    if (!(damage instanceof Damage)) throw damage;
    return { ok: false, line: damage.line ?? number, reason: damage.reason, facts: null };
  }
}

class Damage extends Error {
  constructor(reason, line = null) {
    super(reason);
    this.reason = reason;
    this.line = line;
  }
}

function* linesOf(bytes) {
  for (let start = 0; start < bytes.length; ) {
    const newline = bytes.indexOf(10, start);
    const end = newline < 0 ? bytes.length : newline + 1;
    yield [start, end];
    start = end;
  }
}

// ---- reading: nothing that is wrong on its line gets in

async function take(reading, bytes, start, end) {
  if (reading.complete) throw new Damage("after-the-end");
  const fields = parse(bytes.subarray(start, end));
  if (reading.header === null) {
    reading.header = await readHeader(fields);
    reading.hashes.push(reading.header.hash);
  } else if (own(fields, "count")) {
    await readLast(reading, fields, bytes.subarray(0, start));
    reading.complete = true;
  } else {
    const entry = readEntry(fields);
    reading.hashes.push(await link(reading, entry));
    reading.entries.push(entry);
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

function parse(line) {
  if (line[line.length - 1] !== 10) throw new Damage("cut-off");
  let text, value, again;
  try {
    text = decoder.decode(line.subarray(0, -1));
    value = JSON.parse(text);
    again = canonical(value);
  } catch {
    throw new Damage("not-canonical");
  }
  if (again !== text) throw new Damage("not-canonical");
  if (!isObject(value)) throw new Damage("bad-shape");
  return value;
}

/** Write a value in the form of RFC 8785; throws for what a record never holds. */
function canonical(value, depth = 1) {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "string") {
    if (/\p{Surrogate}/u.test(value)) throw new RangeError("half a character");
    return JSON.stringify(value);
  }
  if (typeof value === "number") {
    if (!Number.isSafeInteger(value)) throw new RangeError("not an integer");
    return String(value);
  }
  if (depth > DEEPEST) throw new RangeError("too deep");
  if (Array.isArray(value)) return `[${value.map((each) => canonical(each, depth + 1)).join()}]`;
  const members = Object.keys(value).sort();
  const written = members.map((name) => `${canonical(name)}:${canonical(value[name], depth + 1)}`);
  return `{${written.join()}}`;
}

async function readHeader(fields) {
  if (own(fields, "format") && fields.format !== FORMAT) throw new Damage("unknown-format");
  const seated = fields.redaction === "seat";
  const good =
    hasExactly(fields, seated ? `${HEADER} seat` : HEADER) &&
    isText(fields.table) &&
    isText(fields.game) &&
    isCount(fields.rules) &&
    isObject(fields.options) &&
    isCount(fields.seats) &&
    fields.seats <= MOST_SEATS &&
    isHex(fields.commitment, 64) &&
    ["public", "seat", "full"].includes(fields.redaction) &&
    (!seated || (isNatural(fields.seat) && fields.seat < fields.seats)) &&
    Array.isArray(fields.deck) &&
    fields.deck.every(isText) &&
    isNatural(fields.after) &&
    isHex(fields.hash, 64) &&
    isHex(fields.check, CHECK);
  if (!good) throw new Damage("bad-shape");
  const { check, ...checked } = fields;
  if ((await sha256(utf8(canonical(checked)))).slice(0, CHECK) !== check) {
    throw new Damage("check-differs");
  }
  if (fields.after === 0) {
    const opened = { format: FORMAT, table: fields.table };
    for (const name of OPENED) opened[name] = fields[name];
    if ((await sha256(utf8(canonical(opened)))) !== fields.hash) throw new Damage("hash-differs");
  }
  return { ...fields, seat: seated ? fields.seat : null };
}

function readEntry(fields) {
  const { seat = null, ...rest } = fields;
  const open = hasExactly(rest, `${BARE} audience salt sealed`);
  const closed = hasExactly(rest, `${BARE} audience inner`);
  const good =
    (open || closed || hasExactly(rest, BARE)) &&
    isCount(fields.version) &&
    isText(fields.kind) &&
    /^[A-Za-z][A-Za-z0-9]{0,63}$/.test(fields.kind) &&
    isCount(fields.schema) &&
    isNatural(fields.at) &&
    (!own(fields, "seat") || isNatural(seat)) &&
    (!(open || closed) || isAudience(fields.audience)) &&
    isObject(fields.public) &&
    (!closed || isHex(fields.inner, 64)) &&
    (!open || (isHex(fields.salt, 64) && isObject(fields.sealed))) &&
    isHex(fields.check, CHECK);
  if (!good) throw new Damage("bad-shape");
  return { ...fields, seat, open, audience: open || closed ? fields.audience : null };
}

async function link({ header, entries, hashes }, entry) {
  if (entries.at(-1)?.kind === "KeyRevealed") throw new Damage("after-the-end");
  if (entry.version !== header.after + hashes.length) throw new Damage("out-of-order");
  let inner = fromHex(entry.inner ?? "");
  if (entry.open) {
    inner = await digest(join([fromHex(entry.salt), utf8(canonical(entry.sealed))]));
  }
  const parts = [
    fromHex(hashes.at(-1)),
    utf8(String(entry.version)),
    utf8(entry.kind),
    utf8(String(entry.schema)),
    utf8(String(entry.at)),
    utf8(entry.seat === null ? "" : String(entry.seat)),
    utf8((entry.audience ?? []).join()),
    utf8(canonical(entry.public)),
    inner,
  ];
  const hash = await sha256(join(parts.flatMap((part) => [uint32(part.length), part])));
  if (entry.check !== hash.slice(0, CHECK)) throw new Damage("check-differs");
  if (entry.audience !== null) {
    const opens = header.redaction === "full" || entry.audience.includes(header.seat);
    if (opens !== entry.open) throw new Damage("wrong-redaction");
  }
  if (entry.version === 1) {
    const opened = OPENED.map((name) => (own(entry.public, name) ? entry.public[name] : null));
    const wanted = OPENED.map((name) => header[name]);
    if (entry.kind !== "TableOpened" || canonical(opened) !== canonical(wanted)) {
      throw new Damage("header-differs");
    }
  }
  return hash;
}

async function readLast({ header, entries, hashes }, fields, before) {
  const good =
    hasExactly(fields, "count digest hash") &&
    isNatural(fields.count) &&
    isHex(fields.hash, 64) &&
    isHex(fields.digest, 64);
  if (!good) throw new Damage("bad-shape");
  if (entries.length === 0 && header.after === 0) throw new Damage("ends-early");
  if (fields.count !== entries.length) throw new Damage("count-differs");
  if (fields.hash !== hashes.at(-1)) throw new Damage("hash-differs");
  if (fields.digest !== (await sha256(before))) throw new Damage("digest-differs");
}

// ---- proving: what the table's key says of what was read

async function prove({ header, entries, hashes }) {
  const lineOf = (entry) => entry.version - header.after + 1;
  const key = await toldKey(header, entries, lineOf);
  const count = (wanted) => entries.filter(wanted).length;
  return {
    table: header.table,
    game: header.game,
    rules: header.rules,
    seats: header.seats,
    redaction: header.redaction,
    seat: header.seat,
    after: header.after,
    events: entries.length,
    head: hashes.at(-1),
    over: entries.at(-1)?.kind === "KeyRevealed",
    sealed: count((entry) => entry.audience !== null),
    opened: count((entry) => entry.open),
    salted: key ? await checkSalts(entries, key, lineOf) : 0,
    rolled: count((entry) => entry.kind === "DiceRolled"),
    rolls: key && header.after === 0 ? await checkRolls(header, entries, key, lineOf) : 0,
    forked_from: toldOrigin(entries, lineOf),
    kept: null,
  };
}

async function toldKey(header, entries, lineOf) {
  let key = null;
  for (const entry of entries) {
    const face = entry.kind === "TableOpened" ? entry.sealed : entry.public;
    if (!face || !["TableOpened", "KeyRevealed"].includes(entry.kind)) continue;
    if (!own(face, "key") || !isHex(face.key, 64)) throw new Damage("bad-event", lineOf(entry));
    key = fromHex(face.key);
    if ((await sha256(key)) !== header.commitment) throw new Damage("key-differs", lineOf(entry));
  }
  return key;
}

async function checkSalts(entries, key, lineOf) {
  const sign = await hmac(key);
  let salted = 0;
  for (const entry of entries.filter((each) => each.open)) {
    const salt = await sign(join([utf8("abraxas salt 1"), uint64(entry.version)]));
    if (toHex(salt) !== entry.salt) throw new Damage("salt-differs", lineOf(entry));
    salted += 1;
  }
  return salted;
}

async function checkRolls(header, entries, key, lineOf) {
  const entropies = Array.from({ length: header.seats }, () => new Uint8Array());
  let rolled = 0;
  let checked = 0;
  for (const entry of entries) {
    try {
      if (entry.kind === "SeatTaken") {
        entropies[seatOf(entry.public, header)] = entropyOf(entry.public);
      } else if (entry.kind === "SeatLeft") {
        entropies[seatOf(entry.public, header)] = new Uint8Array();
      } else if (entry.kind === "DiceRolled") {
        if (entry.open) {
          await rollAgain(entry.sealed, keyedRoll(key, entropies, rolled));
          checked += 1;
        }
        rolled += 1;
      }
    } catch (damage) {
      if (damage instanceof Damage) damage.line = lineOf(entry);
      throw damage;
    }
  }
  return checked;
}

function seatOf(face, header) {
  if (!own(face, "seat") || !isNatural(face.seat) || face.seat >= header.seats) {
    throw new Damage("bad-event");
  }
  return face.seat;
}

function entropyOf(face) {
  const entropy = own(face, "entropy") ? face.entropy : null;
  if (!isText(entropy) || !/^(?:[0-9a-f]{2}){0,32}$/.test(entropy)) throw new Damage("bad-event");
  return fromHex(entropy);
}

async function rollAgain(face, roll) {
  if (!own(face, "rolls") || !Array.isArray(face.rolls)) throw new Damage("bad-event");
  for (const pair of face.rolls) {
    const good = Array.isArray(pair) && pair.length === 2 && pair.every(isNatural);
    if (!good || pair[0] < 1 || pair[0] > TWO_TO_32) throw new Damage("bad-event");
    if ((await roll(pair[0])) !== pair[1]) throw new Damage("roll-differs");
  }
}

/** Answer what rolls the dice of a table's r-th decision by chance. */
function keyedRoll(key, entropies, r) {
  let words = null;
  return async (n) => {
    if (n === 1) return 0;
    words ??= wordsOf(key, entropies, r);
    const fair = TWO_TO_32 - (TWO_TO_32 % n);
    for (;;) {
      const { value } = await words.next();
      if (value < fair) return value % n;
    }
  };
}

async function* wordsOf(key, entropies, r) {
  const told = entropies.flatMap((each) => [Uint8Array.of(each.length), each]);
  const seats = Uint8Array.of(entropies.length);
  const seed = await (await hmac(key))(join([utf8("abraxas dice 1"), seats, ...told]));
  const stream = await (await hmac(seed))(join([utf8("roll"), uint64(r)]));
  const sign = await hmac(stream);
  for (let count = 0; ; count += 1) {
    const block = await sign(uint64(count));
    const view = new DataView(block.buffer);
    for (let at = 0; at < block.length; at += 4) yield view.getUint32(at);
  }
}

function toldOrigin(entries, lineOf) {
  const forked = entries.find((entry) => entry.version === 2 && entry.kind === "TableForked");
  if (!forked) return null;
  const { origin, step } = forked.public;
  if (!isText(origin) || !isNatural(step)) throw new Damage("bad-event", lineOf(forked));
  return { table: origin, version: step };
}

// ---- values and bytes

const own = (object, name) => Object.hasOwn(object, name);
const isText = (value) => typeof value === "string";
const isNatural = (value) => Number.isSafeInteger(value) && value >= 0;
const isCount = (value) => Number.isSafeInteger(value) && value > 0;
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const isHex = (value, digits) =>
  isText(value) && value.length === digits && /^[0-9a-f]*$/.test(value);
const isAudience = (value) =>
  Array.isArray(value) &&
  value.every((seat, i) => isNatural(seat) && (i === 0 || value[i - 1] < seat));

function hasExactly(object, names) {
  const wanted = names.split(" ");
  return Object.keys(object).length === wanted.length && wanted.every((name) => own(object, name));
}

const encoder = new TextEncoder();
const utf8 = (text) => encoder.encode(text);
const fromHex = (hex) => Uint8Array.from(hex.match(/../g) ?? [], (pair) => parseInt(pair, 16));
const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

function uint32(value) {
  const bytes = new Uint8Array(4);
  new DataView(bytes.buffer).setUint32(0, value);
  return bytes;
}

function uint64(value) {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
  return bytes;
}

function join(parts) {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const digest = async (bytes) => new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
const sha256 = async (bytes) => toHex(await digest(bytes));

async function hmac(secret) {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", secret, algorithm, false, ["sign"]);
  return async (message) => new Uint8Array(await crypto.subtle.sign("HMAC", key, message));
}
