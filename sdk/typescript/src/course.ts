// The course of one follower: streams while they get through, else pages.

import { Events } from "./events.js";
import { backoff, Guard, Pace, retryAfter, sleep } from "./patience.js";
import { ProblemError, UnreachableError } from "./problems.js";
import type { Notice, Notices, View } from "./wire.js";

/** How to follow a table. */
export interface Following {
  /** Tell what came after this version; by default the view's own, or 0 for an id. */
  after?: number;
  /** Opens a private table. */
  invite?: string;
  /** Ends it from outside, when a screen closes for example. */
  signal?: AbortSignal;
}

/** What a course needs of its client. */
export interface Way {
  pace: Pace;
  patience: number;
  streams: boolean;
  get(address: string, accept: string, signal: AbortSignal): Promise<Response>;
  look(): Promise<View>;
}

const FORMS = ["stream", "wait", "page"] as const;
const SILENCE = 40_000;
const DETOUR = 60_000;
const FAILURES_TO_STEP_DOWN = 3;
const BETWEEN_PLAIN_PAGES = 2_000;

/**
 * Begins with server-sent events. Where these do not get through, it asks for pages that are
 * waited for, and where the live process cannot be reached, for plain pages of the API; after a
 * minute it tries the better way again, and at once when not even pages come: then the server was
 * away, and it is no matter of the way.
 */
export class Course {
  private readonly best: number;
  private form: number;
  private last: number;
  private over = false;
  private failures = 0;
  private rounds = 0;
  private since = Date.now();
  private until = 0;

  constructor(
    private readonly way: Way,
    private readonly view: View,
    private readonly following: Following,
  ) {
    this.best = way.streams ? 0 : 1;
    this.form = this.best;
    this.last = following.after ?? view.version;
  }

  /** Tell every notice once and in order, until the table is over. */
  async *notices(): AsyncGenerator<Notice, void> {
    const { pace } = this.way;
    while (!this.over && !this.given()) {
      if (this.form > this.best && Date.now() > this.until) this.form = this.best;
      await sleep(pace.wait(FORMS[this.form] === "page" ? "reads" : "streams"), this.following.signal);
      if (this.given()) return;
      const guard = new Guard(SILENCE, this.following.signal);
      let why: unknown;
      try {
        const streams = FORMS[this.form] === "stream";
        const accept = streams ? "text/event-stream" : "application/json";
        const answer = await this.way.get(this.address(), accept, guard.signal);
        pace.heard(answer);
        const media = answer.headers.get("Content-Type") ?? "";
        if (answer.status !== 200 || !media.startsWith(accept)) {
          why = answer;
        } else if (streams) {
          yield* this.streamed(answer, guard);
        } else {
          yield* this.paged((await answer.json()) as Notices, guard);
          continue;
        }
      } catch (error) {
        if (error instanceof ProblemError || error instanceof UnreachableError) throw error;
        why = error;
      } finally {
        guard.end();
      }
      if (!this.over && !this.given()) await sleep(await this.broke(why), this.following.signal);
    }
  }

  private async *streamed(answer: Response, guard: Guard): AsyncGenerator<Notice, void> {
    if (!answer.body) throw new Error("this fetch has no streams");
    const reader = answer.body.getReader();
    const decoder = new TextDecoder();
    const events = new Events();
    while (!this.over) {
      const { done, value } = await reader.read();
      if (done) return;
      guard.heard();
      this.progress();
      for (const { name, data } of events.feed(decoder.decode(value, { stream: true }))) {
        if (name === "end") this.over = true;
        else if (name === "message") yield* this.fresh(JSON.parse(data) as Notice);
      }
    }
  }

  private async *paged(page: Notices, guard: Guard): AsyncGenerator<Notice, void> {
    guard.end();
    this.progress();
    for (const item of page.items) yield* this.fresh(item);
    if (page.items.length) return;
    const view = await this.way.look();
    this.over = view.phase === "over" && view.version <= this.last;
    if (!this.over && FORMS[this.form] === "page") {
      await sleep(BETWEEN_PLAIN_PAGES, this.following.signal);
    }
  }

  private *fresh(notice: Notice): Generator<Notice, void> {
    if (notice.version <= this.last) return;
    this.last = notice.version;
    yield notice;
  }

  private address(): string {
    const { stream, events } = this.view.links;
    const form = FORMS[this.form];
    const { invite } = this.following;
    const query = `?after=${this.last}${form === "wait" ? "&wait=25" : ""}`;
    return (form === "page" ? events : stream) + query + (invite ? `&invite=${invite}` : "");
  }

  /** Answer the milliseconds to wait; throw what asking again cannot mend. */
  private async broke(why: unknown): Promise<number> {
    let asked = 0;
    if (isResponse(why)) {
      if (why.status >= 400 && why.status < 500 && why.status !== 429) throw await ProblemError.of(why);
      asked = retryAfter(why);
    }
    if (Date.now() - this.since > this.way.patience) {
      throw new UnreachableError(this.address(), isResponse(why) ? why.status : why);
    }
    const wait = Math.max(asked, backoff(this.failures + this.rounds));
    this.failures += 1;
    if (FORMS[this.form] === "page") {
      this.form = this.best;
      this.failures = 0;
      this.rounds += 1;
    } else if (this.failures >= FAILURES_TO_STEP_DOWN) {
      this.form += 1;
      this.failures = 0;
      this.until = Date.now() + DETOUR;
    }
    return wait;
  }

  private given(): boolean {
    return this.following.signal?.aborted ?? false;
  }

  private progress(): void {
    this.failures = 0;
    this.rounds = 0;
    this.since = Date.now();
  }
}

function isResponse(what: unknown): what is Response {
  return typeof what === "object" && what !== null && "status" in what && "headers" in what;
}
