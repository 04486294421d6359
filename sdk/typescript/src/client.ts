// The client: one player at one server.

import { type Following, type FollowingMine, MyCourse, TableCourse, type Way } from "./course.js";
import { backoff, Guard, newKey, Pace, retryAfter, sleep } from "./patience.js";
import { ProblemError, UnreachableError } from "./problems.js";
import type {
  Fork,
  Game,
  Games,
  Guest,
  Move,
  MyTableNews,
  MyTables,
  NewTable,
  Notice,
  Notices,
  OpenedView,
  Outcome,
  Perspective,
  Player,
  Profile,
  Redaction,
  SeatOutcome,
  Sitting,
  StreamTicket,
  Tables,
  View,
} from "./wire.js";

/** How a client is set up; times are in milliseconds. */
export interface Settings {
  /** Who asks; may come later, by `signUp` or `recover`. */
  token?: string;
  /** en or fr; others fall back. */
  language?: string;
  /** How long a request goes on trying while the server or the network is away: 60,000. */
  patience?: number;
  /** How long an answer is waited for: 15,000. */
  timeout?: number;
  /** The platform's own, unless you have another. */
  fetch?: typeof fetch;
  /** Whether answers can be read while they arrive. Found out, unless you know better. */
  streams?: boolean;
}

type Words = Record<string, string | number | boolean | null | undefined>;

/** What a request may say. */
export interface Asking {
  query?: Words;
  body?: unknown;
  headers?: Record<string, string>;
  /** Makes a wish count once however often it is sent. */
  key?: string;
}

interface Call extends Asking {
  bucket?: string;
  repeatable?: boolean;
}

/** A wish with a key of your own: for queues that outlive the program. */
export interface Wish {
  key?: string;
}

const NOTHING_HAPPENED = ["slow-down", "store-unavailable"];
const GATEWAYS = [502, 503, 504];

/**
 * Speaks to one server for one player. Every wish that changes a table has a key that all
 * attempts share, so it counts once. Methods throw `ProblemError` when the server says no and
 * `UnreachableError` when nobody answers.
 */
export class Client {
  token: string | undefined;
  private readonly url: string;
  private readonly pace = new Pace();
  private readonly patience: number;
  private readonly timeout: number;
  private readonly streams: boolean;
  private readonly fetch: typeof fetch;
  private readonly language: Record<string, string>;

  constructor(url: string, settings: Settings = {}) {
    this.url = url.replace(/\/$/, "");
    this.token = settings.token;
    this.patience = settings.patience ?? 60_000;
    this.timeout = settings.timeout ?? 15_000;
    this.language = settings.language ? { "Accept-Language": settings.language } : {};
    // Browsers' fetch wants to be called on no object but their own.
    const used = settings.fetch ?? globalThis.fetch;
    this.fetch = (input, init) => used(input, init);
    this.streams = settings.streams ?? readsWhileArriving();
  }

  /** Make a guest and go on as that player; keep its `token`. */
  async signUp(name?: string, locale?: string): Promise<Guest> {
    const call = { body: { name, locale }, bucket: "sign-ups", repeatable: true };
    return this.become(await this.ask<Guest>("POST", "/v1/players", call));
  }

  /** Come back to a player by its recovery code and go on as that player. */
  async recover(code: string): Promise<Guest> {
    const call = { body: { code }, bucket: "sign-ups", repeatable: true };
    return this.become(await this.ask<Guest>("POST", "/v1/players/recover", call));
  }

  /** Answer one's own profile. */
  me(): Promise<Profile> {
    return this.ask("GET", "/v1/me");
  }

  /** Answer what everybody may know of a player. */
  player(player: string): Promise<Player> {
    return this.ask("GET", `/v1/players/${player}`);
  }

  /** List what can be played. */
  games(): Promise<Games> {
    return this.ask("GET", "/v1/games");
  }

  /** Answer a game's cards, options and commands. */
  game(game: string): Promise<Game> {
    return this.ask("GET", `/v1/games/${game}`);
  }

  /** Open a table. */
  openTable(table: NewTable, wish?: Wish): Promise<OpenedView> {
    return this.wish("POST", "/v1/tables", table, wish);
  }

  /** List public tables. */
  tables(query: { game?: string; phase?: string; cursor?: string; limit?: number } = {}): Promise<Tables> {
    return this.ask("GET", "/v1/tables", { query });
  }

  /** List one's own tables, or those that wait for one. */
  myTables(query: { waiting?: boolean; cursor?: string; limit?: number } = {}): Promise<MyTables> {
    return this.ask("GET", "/v1/me/tables", { query });
  }

  /** Answer a table as one may see it, now or at a version. */
  table(
    table: string,
    query: { version?: number; min_version?: number; as?: Perspective; invite?: string } = {},
  ): Promise<View> {
    return this.ask("GET", `/v1/tables/${table}`, { query });
  }

  /** Answer a page of what happened after a version. */
  events(table: string, query: { after?: number; limit?: number } = {}): Promise<Notices> {
    return this.ask("GET", `/v1/tables/${table}/events`, { query });
  }

  /** Take a table's record away, as JSON Lines. */
  async record(table: string, redaction: Redaction = "public", invite?: string): Promise<string> {
    const call = { query: { redaction, invite }, bucket: "exports" };
    return this.persist("GET", `/v1/tables/${table}/record`, call, (answer) => answer.text());
  }

  /** Take a seat. */
  sit(table: string, sitting: Sitting = {}, wish?: Wish): Promise<SeatOutcome> {
    return this.wish("POST", `/v1/tables/${table}/seats`, sitting, wish);
  }

  /** Leave a seat, while the table is open. */
  leave(table: string, seat: number, wish?: Wish): Promise<SeatOutcome> {
    return this.wish("DELETE", `/v1/tables/${table}/seats/${seat}`, undefined, wish);
  }

  /**
   * Send a command. `onlyAt` a version: else it is refused with `stale-version`, unless your
   * moves are the same as then. `view` adds the view to the outcome.
   */
  send(
    table: string,
    command: Move,
    more: Wish & { onlyAt?: number; view?: boolean } = {},
  ): Promise<Outcome> {
    const headers: Record<string, string> = {};
    if (more.onlyAt !== undefined) headers["If-Match"] = `"${more.onlyAt}"`;
    if (more.view) headers["Prefer"] = "return=representation";
    return this.wish("POST", `/v1/tables/${table}/commands`, command, more, headers);
  }

  /** Open a what-if table from a version. */
  fork(table: string, fork: Fork, wish?: Wish): Promise<OpenedView> {
    return this.wish("POST", `/v1/tables/${table}/forks`, fork, wish);
  }

  /** Ask what has no method here; a POST is repeated only if it has a key. */
  request<T = unknown>(method: string, path: string, asking: Asking = {}): Promise<T> {
    return this.ask<T>(method, path, asking);
  }

  /** Tell what happens at a table until it is over, without gap or repeat. */
  async *follow(table: View | string, following: Following = {}): AsyncGenerator<Notice, void> {
    const seen = following.invite === undefined ? {} : { invite: following.invite };
    const id = typeof table === "string" ? table : table.id;
    if (typeof table === "string") following = { after: 0, ...following };
    const view = typeof table === "string" ? await this.table(id, seen) : table;
    yield* new TableCourse(this.way(), view, following, () => this.table(id, seen)).told();
  }

  /**
   * Tell how one's tables stand and whenever one has changed, for ever: all that are not over at
   * first, or only what has changed since `after`, without gap or repeat.
   */
  async *followMine(following: FollowingMine = {}): AsyncGenerator<MyTableNews, void> {
    const ticket = async () => {
      const call = { repeatable: true };
      return (await this.ask<StreamTicket>("POST", "/v1/me/stream-tickets", call)).ticket;
    };
    yield* new MyCourse(this.way(), `${this.url}/v1/me/events`, following, ticket).told();
  }

  /** Answer the view now, and again whenever the table has changed, until it is over. */
  async *watch(table: string, following: Omit<Following, "after"> = {}): AsyncGenerator<View, void> {
    const seen = following.invite === undefined ? {} : { invite: following.invite };
    let view = await this.table(table, seen);
    yield view;
    for await (const notice of this.follow(view, following)) {
      if (notice.version > view.version) {
        view = await this.table(table, seen);
        yield view;
      }
    }
  }

  private way(): Way {
    return {
      pace: this.pace,
      patience: this.patience,
      streams: this.streams,
      get: (address, accept, signal) =>
        this.fetch(address, { headers: this.headers({ Accept: accept }), signal }),
    };
  }

  private become(guest: Guest): Guest {
    this.token = guest.token;
    return guest;
  }

  private headers(more: Record<string, string> = {}): Record<string, string> {
    const token: Record<string, string> = this.token ? { Authorization: `Bearer ${this.token}` } : {};
    return { ...this.language, ...token, ...more };
  }

  /** The key is chosen here, once for all attempts. */
  private wish<T>(
    method: string,
    path: string,
    body: unknown,
    { key = newKey() }: Wish = {},
    headers: Record<string, string> = {},
  ): Promise<T> {
    return this.ask(method, path, { body, key, headers });
  }

  private ask<T>(method: string, path: string, call: Call = {}): Promise<T> {
    return this.persist(method, path, call, async (answer) => {
      const text = await answer.text();
      return (text ? JSON.parse(text) : null) as T;
    });
  }

  private async persist<T>(
    method: string,
    path: string,
    call: Call,
    read: (answer: Response) => Promise<T>,
  ): Promise<T> {
    const bucket = call.bucket ?? (method === "GET" ? "reads" : "moves");
    const repeatable = call.repeatable ?? (method !== "POST" || call.key !== undefined);
    const deadline = Date.now() + this.patience;
    for (let tries = 0; ; tries += 1) {
      await sleep(this.pace.wait(bucket));
      const guard = new Guard(this.timeout);
      let failure: Error;
      let again: boolean;
      let wait = backoff(tries);
      try {
        const answer = await this.fetch(this.url + path + written(call.query), {
          method,
          signal: guard.signal,
          ...said(this.headers(call.headers), call),
        });
        this.pace.heard(answer);
        if (answer.ok) return await read(answer);
        const problem = await ProblemError.of(answer);
        const passing = answer.status === 429 || NOTHING_HAPPENED.includes(problem.code);
        again = passing || (repeatable && GATEWAYS.includes(answer.status));
        wait = Math.max(wait, retryAfter(answer));
        failure = problem;
      } catch (error) {
        failure = new UnreachableError(`${method} ${path}`, error);
        again = repeatable;
      } finally {
        guard.end();
      }
      if (!again || Date.now() + wait > deadline) throw failure;
      await sleep(wait);
    }
  }
}

function said(headers: Record<string, string>, { body, key }: Call): RequestInit {
  if (key !== undefined) headers["Idempotency-Key"] = key;
  if (body === undefined) return { headers };
  headers["Content-Type"] = "application/json";
  return { headers, body: JSON.stringify(body) };
}

function written(query: Words = {}): string {
  const words = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return words.length ? `?${words.join("&")}` : "";
}

/** Say whether fetch answers before everything is there: React Native's does not. */
function readsWhileArriving(): boolean {
  return typeof Response !== "undefined" && "body" in Response.prototype;
}
