// The page: opens a history, and keeps table, words, finder and address at the same moment.

import { keep, readAddress, writeAddress } from "./address.js";
import { Finder } from "./finder.js";
import { historyOfRecord, told, Unreadable } from "./history.js";
import { h } from "./element.js";
import { firstLanguage, labels, relabel } from "./labels.js";
import { markLog, writeLog } from "./log.js";
import { Proof } from "./proof.js";
import { historyOfTable, Refused, textsOf } from "./server.js";
import { stage } from "./stage.js";
import { Timeline } from "./timeline.js";
import { Transport } from "./transport.js";
import { Words } from "./words.js";

const byId = (id) => document.getElementById(id);
const page = { language: firstLanguage(), history: null, game: null, as: null, words: null, timeline: null };

const transport = new Transport(show, () => relabel(page.language));
const finder = new Finder((at) => transport.go(at));
const proof = new Proof((at) => transport.go(at));

// ---- opening

async function openTable(table) {
  try {
    await openHistory(await historyOfTable(table, page.language));
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    const say = labels(page.language);
    const known = { 0: say.no_server, 401: say.bad_token, 404: say.not_found };
    complain(known[error.status] ?? say.refused(error.message));
  }
}

async function openFile(file) {
  const say = labels(page.language);
  let bytes = null;
  try {
    bytes = await unpacked(new Uint8Array(await file.arrayBuffer()));
    await openHistory(historyOfRecord(bytes));
  } catch (error) {
    if (!(error instanceof Unreadable)) return complain(say.packed);
    complain(say.unreadable(error.line));
    // What cannot be drawn can still be checked: the verdict names the first bad line.
    byId("check").hidden = false;
    Object.assign(proof, { say, record: async () => bytes, last: 0 });
  }
  return undefined;
}

async function unpacked(bytes) {
  if (bytes[0] === 0x28 && bytes[1] === 0xb5) throw new TypeError("zstd");
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function openHistory(history) {
  page.history = history;
  page.game = await gameOf(history.header);
  const wanted = readAddress();
  page.as = history.views.includes(wanted.as) ? wanted.as : (history.own ?? history.views[0]);
  page.timeline = new Timeline(history, page.game, page.as);
  await speak(page.language);
  for (const id of ["board", "side", "check", "link"]) byId(id).hidden = false;
  byId("welcome").hidden = true;
  byId("newer").hidden = !history.view || history.view.phase === "over";
  transport.pause();
  transport.open(history.events.length, wanted.version ?? firstMoment());
}

async function gameOf({ game, after }) {
  if (after > 0 || !/^[a-z][a-z0-9_]*$/.test(game)) return import("./plain.js");
  try {
    const [found] = await Promise.all([import(`./games/${game}/game.js`), dressed(game)]);
    return found;
  } catch {
    return import("./plain.js");
  }
}

/** Take the style of a game, and only of that one; resolves once it is there. */
async function dressed(game) {
  const href = new URL(`./games/${game}/style.css`, import.meta.url).href;
  const before = document.getElementById("dress");
  if (before?.href === href) return;
  const link = h("link", { id: "dress", rel: "stylesheet", href });
  const there = new Promise((resolve, reject) => {
    link.addEventListener("load", resolve);
    link.addEventListener("error", reject);
  });
  before?.remove();
  document.head.append(link);
  await there;
}

/** A finished table starts where somebody has to move; a running one where it stands. */
function firstMoment() {
  const { history, timeline } = page;
  if (history.view && history.view.phase !== "over") return history.events.length;
  const started = history.events.findIndex((event) => event.kind === "GameStarted");
  for (let at = started + 1; at <= history.events.length && started >= 0; at += 1) {
    if (page.game.draw(timeline.at(at).table, page.words, seatName).waiting.length > 0) return at;
  }
  return 0;
}

function complain(sentence) {
  byId("welcome").hidden = false;
  byId("trouble").hidden = false;
  byId("trouble").textContent = sentence;
  for (const id of ["board", "side", "check", "link"]) byId(id).hidden = true;
}

// ---- words

async function speak(language) {
  page.language = language;
  relabel(language);
  byId("language").value = language;
  if (!page.history) return;
  const { game } = page.history.header;
  page.words = new Words(language, await textsOf(game, language));
  look(page.as);
}

function seatName(seat) {
  return labels(page.language).seat(seat + 1);
}

function namesAt({ sitting }) {
  const say = labels(page.language);
  return (seat) => {
    const chair = sitting.chairs[seat];
    if (chair === null) return { name: say.seat(seat + 1), kind: say.free };
    if (chair.bot) return { name: say.seat(seat + 1), kind: say.bot(page.words.name("bots", chair.bot)) };
    return { name: say.seat(seat + 1), kind: page.history.players?.get(chair.player) ?? say.someone };
  };
}

function sentence(event) {
  return event.said?.[page.language] ?? page.words.tell(event.kind, told(event, page.as));
}

// ---- looking

/** Look from a perspective, at the same moment. */
function look(as) {
  const { history, language, words, game } = page;
  const say = labels(language);
  page.as = as;
  page.timeline = new Timeline(history, game, as);
  const quiet = new Set(["DiceRolled", "KeyRevealed"]);
  const sentences = history.events.map((event) => ({
    version: event.version,
    text: sentence(event),
    quiet: quiet.has(event.kind),
  }));
  writeLog(sentences, as);
  byId("perspective").replaceChildren(
    ...history.views.map((each) => h("option", { value: each, selected: each === as }, viewName(each, say))),
  );
  byId("title").textContent = words.title ?? words.name("", history.header.game);
  document.title = `${byId("title").textContent} – Abraxas`;
  Object.assign(proof, { say, record: history.record, last: history.events.length });
  finder.open({ history, as, words, game, say });
}

function viewName(as, say) {
  return say[as] ?? say.seat(Number(as) + 1);
}

/** Show a moment. */
function show(at) {
  const moment = page.timeline.at(at);
  const say = labels(page.language);
  const drawn = page.game.draw(moment.table, page.words, seatName);
  const near = /^\d+$/.test(page.as) ? Number(page.as) : 0;
  byId("stage").replaceChildren(...stage(drawn, namesAt(moment), say, near));
  const undrawn = byId("undrawn");
  if (undrawn) undrawn.textContent = page.history.header.after > 0 ? say.part : say.unknown_game;
  const caption = byId("caption");
  caption.setAttribute("aria-live", transport.playing && transport.speed > 1 ? "off" : "polite");
  caption.textContent = moment.event === null ? say.start : sentence(moment.event);
  if (moment.broken !== null) caption.append(h("strong", {}, " ", say.broken(moment.broken)));
  byId("position").textContent = say.at(at, transport.last);
  byId("slider").setAttribute("aria-valuetext", `${at}: ${caption.textContent}`);
  byId("facts").textContent = facts(moment, say);
  markLog(at);
  finder.move(at);
  if (!transport.playing) writeAddress(at, page.as);
}

function facts({ sitting }, say) {
  const phase = { open: say.opened, playing: say.playing, over: say.over }[sitting.phase];
  const origin = sitting.origin && say.what_if(sitting.origin.version);
  return [say.seats(sitting.chairs.length), phase, origin].filter(Boolean).join(" · ");
}

// ---- wiring

byId("language").addEventListener("change", async (event) => {
  await speak(event.target.value);
  if (page.history) show(transport.at);
});
byId("perspective").addEventListener("change", (event) => {
  look(event.target.value);
  show(transport.at);
});
byId("newer").addEventListener("click", async () => {
  const at = transport.at;
  await openTable(page.history.header.table);
  transport.go(at + 1);
});
byId("link").addEventListener("click", async (event) => {
  transport.pause();
  writeAddress(transport.at, page.as);
  // Without a clipboard (pages from elsewhere than https) the address bar has the link.
  const say = labels(page.language);
  const copied = await navigator.clipboard?.writeText(location.href).then(
    () => true,
    () => false,
  );
  event.target.textContent = copied ? say.copied : say.link_above;
  setTimeout(() => relabel(page.language), 2500);
});
byId("file").addEventListener("change", (event) => {
  const [file] = event.target.files;
  if (file) openFile(file);
  event.target.value = "";
});
byId("asking").addEventListener("submit", (event) => {
  event.preventDefault();
  keep("token", byId("token").value.trim());
  const table = byId("table").value.trim();
  if (table) {
    history.replaceState(null, "", `${location.pathname.replace(/\/replay(\/.*)?$/, "/replay")}/${encodeURIComponent(table)}`);
    openTable(table);
  }
});
for (const kind of ["dragover", "drop"]) {
  document.addEventListener(kind, (event) => {
    event.preventDefault();
    document.body.classList.toggle("dropping", kind === "dragover");
    const [file] = event.dataTransfer?.files ?? [];
    if (kind === "drop" && file) openFile(file);
  });
}
document.addEventListener("dragleave", () => document.body.classList.remove("dropping"));
addEventListener("hashchange", () => {
  if (!page.history) return;
  const { version, as } = readAddress();
  if (page.history.views.includes(as) && as !== page.as) look(as);
  transport.go(version ?? transport.at);
});

byId("unstarted").remove();
const asked = readAddress();
await speak(page.language);
if (asked.table) {
  byId("table").value = asked.table;
  await openTable(asked.table);
} else {
  byId("welcome").hidden = false;
}
