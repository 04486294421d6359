// Asks the server that the page came from: a table, its record or its notices, and the words.

import { kept } from "./address.js";
import { historyOfNotices, historyOfRecord } from "./history.js";

const PAGE = 100; // notices at once

/** What the server would not answer; `status` is 0 if it did not answer at all. */
export class Refused extends Error {
  constructor(status, title) {
    super(title);
    this.status = status;
  }
}

/** Answer the history of a table in the best copy that the caller may have. */
export async function historyOfTable(table, language) {
  const path = `/v1/tables/${encodeURIComponent(table)}`;
  const view = await asked(path, {}, language);
  const own = view.viewer.seat === null ? "spectator" : String(view.viewer.seat);
  const record = () => recordOf(path, view, language);
  if (view.phase === "over") {
    const history = historyOfRecord(await record());
    return { ...history, view, own, players: await playersOf(view) };
  }
  const notices = await noticesOf(path, language);
  const history = historyOfNotices(view, notices, own, language, record);
  if (view.forked_from) history.resumed = await resumedAt(path, notices, language);
  return { ...history, view, own, players: await playersOf(view) };
}

async function recordOf(path, view, language) {
  const redaction = view.phase === "over" ? "full" : view.viewer.seat === null ? "public" : "seat";
  const answer = await fetched(`${path}/record`, { redaction }, language);
  return new Uint8Array(await answer.arrayBuffer());
}

async function noticesOf(path, language) {
  const notices = [];
  for (;;) {
    const page = await asked(`${path}/events`, { after: notices.length, limit: PAGE }, language);
    notices.push(...page.items);
    if (page.items.length === 0 || notices.length >= page.version) return notices;
  }
}

/** A what-if starts from cards that its notices do not tell: its first view does. */
async function resumedAt(path, notices, language) {
  const started = notices.find((each) => each.type === "GameStarted");
  if (!started) return null;
  const view = await asked(path, { version: started.version }, language);
  return { version: started.version, play: view.play };
}

/** Answer names by player; who has erased the profile has none. */
async function playersOf(view) {
  const ids = [...new Set(view.seats.map((each) => each.player).filter(Boolean))];
  const names = await Promise.all(
    ids.map((id) =>
      asked(`/v1/players/${encodeURIComponent(id)}`, {}, "en").then(
        (player) => [id, player.name],
        () => [id, null],
      ),
    ),
  );
  return new Map(names);
}

/** Answer the words of a game, or null where there is no server to ask. */
export async function textsOf(game, language) {
  const bundled = document.getElementById("texts");
  if (bundled) return JSON.parse(bundled.textContent)[game]?.[language] ?? null;
  try {
    const answer = await fetch(new URL(`../texts/${game}/${language}.json`, import.meta.url));
    return answer.ok ? await answer.json() : null;
  } catch {
    return null;
  }
}

async function asked(path, query, language) {
  return (await fetched(path, query, language)).json();
}

async function fetched(path, query, language) {
  const invite = kept("invite");
  const token = kept("token");
  const parameters = new URLSearchParams(invite && path.startsWith("/v1/tables/") ? { ...query, invite } : query);
  const headers = { "Accept-Language": language, ...(token && { Authorization: `Bearer ${token}` }) };
  let answer;
  try {
    answer = await fetch(`${path}?${parameters}`, { headers });
  } catch {
    throw new Refused(0, "");
  }
  if (answer.ok) return answer;
  const problem = await answer.json().catch(() => ({}));
  throw new Refused(answer.status, problem.detail ?? problem.title ?? answer.statusText);
}
