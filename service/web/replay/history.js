// Histories: what a record or a server tells of a table, and from where it can be looked at.
//
// A history is {header, events, views, record}: `views` are the perspectives it allows ("0", "1",
// ..., "spectator", "arbiter"), the best first; `record` answers the bytes of a record to check.

const FORMAT = "abraxas record 1";

/** What cannot be read as a record; `line` counts from 1. */
export class Unreadable extends Error {
  constructor(line) {
    super(`line ${line}`);
    this.line = line;
  }
}

/** Read the bytes of a record. Nothing is proved here: that is for verify.js. */
export function historyOfRecord(bytes) {
  const lines = new TextDecoder().decode(bytes).split("\n");
  if (lines.at(-1) === "") lines.pop();
  const header = parsed(lines[0] ?? "", 1);
  if (header.format !== FORMAT || !Number.isInteger(header.seats) || header.seats < 1) {
    throw new Unreadable(1);
  }
  const events = [];
  for (let at = 1; at < lines.length; at += 1) {
    const fields = parsed(lines[at], at + 1);
    if (Object.hasOwn(fields, "count")) break;
    if (!isObject(fields.public) || typeof fields.kind !== "string") throw new Unreadable(at + 1);
    events.push({ ...fields, version: header.after + at });
  }
  return { header, events, views: viewsOf(header), record: async () => bytes };
}

/** Make a history of notices, which tell an event to one perspective only, in one language. */
export function historyOfNotices(view, notices, as, language, record) {
  const header = {
    table: view.id,
    game: view.game,
    rules: view.rules,
    options: view.options,
    seats: view.seats.length,
    deck: [],
    after: 0,
  };
  const events = notices.map(({ version, at, type, text, salt, ...fields }) => ({
    version,
    at: Date.parse(at),
    kind: type,
    public: fields,
    said: { [language]: text },
  }));
  return { header, events, views: [as], record };
}

/** Answer the fields of an event that a perspective was told. */
export function told(event, as) {
  const reads = event.sealed && (as === "arbiter" || event.audience?.includes(Number(as)));
  return reads ? { ...event.public, ...event.sealed } : event.public;
}

function viewsOf(header) {
  const seats = Array.from({ length: header.seats }, (_, seat) => String(seat));
  if (header.redaction === "full") return ["arbiter", ...seats, "spectator"];
  if (header.redaction === "seat") return [String(header.seat), "spectator"];
  return ["spectator"];
}

function parsed(line, number) {
  try {
    const fields = JSON.parse(line);
    if (isObject(fields)) return fields;
  } catch {
    // Told below: a line that is no object is as bad as one that is no JSON.
  }
  throw new Unreadable(number);
}

function isObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
