// The course of one follower: streams while they get through, else pages.

import { Events } from "./events.js";
import { backoff, Guard, Pace, retryAfter, sleep } from "./patience.js";
import { ProblemError, UnreachableError } from "./problems.js";
import type { MyEvents, MyTableNews, Notice, Notices, View } from "./wire.js";

/** How to follow a table. */
export interface Following {
  /** Tell what came after this version; by default the view's own, or 0 for an id. */
  after?: number;
  /** Opens a private table. */
  invite?: string;
  /** Ends it from outside, when a screen closes for example. */
  signal?: AbortSignal;
}

/** How to follow all of one's tables. */
export interface FollowingMine {
  /** Tell only what has changed since: what `myTables` or an item said. */
  after?: string;
  /** Ends it from outside. */
  signal?: AbortSignal;
}

/** What a course needs of its client. */
export interface Way {
  pace: Pace;
  patience: number;
  streams: boolean;
  get(address: string, accept: string, signal: AbortSignal): Promise<Response>;
}

const FORMS = ["stream", "wait", "page"] as const;
type Form = (typeof FORMS)[number];
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
export abstract class Course<Told, Page extends { items: Told[] }> {
  protected over = false;
  private readonly best: number;
  private form: number;
  private failures = 0;
  private rounds = 0;
  private since = Date.now();
  private until = 0;

  constructor(
    private readonly way: Way,
    private readonly worst: number,
    private readonly signal: AbortSignal | undefined,
  ) {
    this.best = way.streams ? 0 : 1;
    this.form = this.best;
  }

  /** Answer the address to ask in the form of now. */
  protected abstract address(form: Form): string;

  /** Answer what is told, if it is new. */
  protected abstract fresh(item: Told): Generator<Told, void>;

  /** Take a page that was told; answer whether it ends it all. */
  protected abstract turned(page: Page): Promise<boolean>;

  /** Make ready to ask. */
  protected async before(): Promise<void> {}

  /** Take an answer that is good. */
  protected reached(_answer: Response): void {}

  /** Take a place that a stream has told. */
  protected placed(_id: string): void {}

  /** Take that nobody has answered. */
  protected lost(): void {}

  /** Tell everything once and in order, until nothing more comes. */
  async *told(): AsyncGenerator<Told, void> {
    const { pace } = this.way;
    while (!this.over && !this.given()) {
      if (this.form > this.best && Date.now() > this.until) this.form = this.best;
      await sleep(pace.wait(FORMS[this.form] === "page" ? "reads" : "streams"), this.signal);
      if (this.given()) return;
      const guard = new Guard(SILENCE, this.signal);
      let why: unknown;
      try {
        const streams = FORMS[this.form] === "stream";
        const accept = streams ? "text/event-stream" : "application/json";
        await this.before();
        const answer = await this.way.get(this.address(FORMS[this.form]!), accept, guard.signal);
        pace.heard(answer);
        const media = answer.headers.get("Content-Type") ?? "";
        if (answer.status !== 200 || !media.startsWith(accept)) {
          why = answer;
        } else {
          this.reached(answer);
          if (streams) {
            yield* this.streamed(answer, guard);
          } else {
            yield* this.paged((await answer.json()) as Page, guard);
            continue;
          }
        }
      } catch (error) {
        if (error instanceof ProblemError || error instanceof UnreachableError) throw error;
        why = error;
      } finally {
        guard.end();
      }
      if (!this.over && !this.given()) await sleep(await this.broke(why), this.signal);
    }
  }

  private async *streamed(answer: Response, guard: Guard): AsyncGenerator<Told, void> {
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
        else if (name === "message") yield* this.fresh(JSON.parse(data) as Told);
      }
      if (events.id !== undefined) this.placed(events.id);
    }
  }

  private async *paged(page: Page, guard: Guard): AsyncGenerator<Told, void> {
    guard.end();
    this.progress();
    for (const item of page.items) yield* this.fresh(item);
    this.over = await this.turned(page);
    if (!page.items.length && !this.over && FORMS[this.form] === "page") {
      await sleep(BETWEEN_PLAIN_PAGES, this.signal);
    }
  }

  /** Answer the milliseconds to wait; throw what asking again cannot mend. */
  private async broke(why: unknown): Promise<number> {
    let asked = 0;
    if (isResponse(why)) {
      if (why.status >= 400 && why.status < 500 && why.status !== 429) throw await ProblemError.of(why);
      asked = retryAfter(why);
    }
    if (Date.now() - this.since > this.way.patience) {
      throw new UnreachableError(this.address(FORMS[this.form]!), isResponse(why) ? why.status : why);
    }
    const wait = Math.max(asked, backoff(this.failures + this.rounds));
    this.failures += 1;
    if (!isResponse(why)) this.lost();
    if (this.form === this.worst) {
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
    return this.signal?.aborted ?? false;
  }

  private progress(): void {
    this.failures = 0;
    this.rounds = 0;
    this.since = Date.now();
  }
}

/** The course of a table, by version. */
export class TableCourse extends Course<Notice, Notices> {
  private last: number;

  constructor(
    way: Way,
    private readonly view: View,
    private readonly following: Following,
    private readonly look: () => Promise<View>,
  ) {
    super(way, FORMS.indexOf("page"), following.signal);
    this.last = following.after ?? view.version;
  }

  protected address(form: Form): string {
    const { stream, events } = this.view.links;
    const { invite } = this.following;
    const query = `?after=${this.last}${form === "wait" ? "&wait=25" : ""}`;
    return (form === "page" ? events : stream) + query + (invite ? `&invite=${invite}` : "");
  }

  protected *fresh(notice: Notice): Generator<Notice, void> {
    if (notice.version <= this.last) return;
    this.last = notice.version;
    yield notice;
  }

  protected async turned(page: Notices): Promise<boolean> {
    if (page.items.length) return false;
    const view = await this.look();
    return view.phase === "over" && view.version <= this.last;
  }
}

/**
 * The course of all of one's tables. The API sends to the live process whoever asks; since a
 * token does not follow there, a ticket does, until it is known where that is.
 */
export class MyCourse extends Course<MyTableNews, MyEvents> {
  private last: string | undefined;
  private there: string | undefined;
  private admitted = "";

  constructor(
    way: Way,
    private readonly url: string,
    following: FollowingMine,
    private readonly ticket: () => Promise<string>,
  ) {
    super(way, FORMS.indexOf("wait"), following.signal);
    this.last = following.after;
  }

  protected address(form: Form): string {
    const words = [
      ...(this.last === undefined ? [] : [`after=${encodeURIComponent(this.last)}`]),
      ...(form === "wait" ? ["wait=25"] : []),
      ...(this.there === undefined ? [`ticket=${this.admitted}`] : []),
    ];
    return `${this.there ?? this.url}?${words.join("&")}`;
  }

  protected override async before(): Promise<void> {
    if (this.there === undefined) this.admitted = await this.ticket();
  }

  protected override reached(answer: Response): void {
    this.there = answer.url.split("?")[0] || undefined;
  }

  protected *fresh(item: MyTableNews): Generator<MyTableNews, void> {
    this.last = item.after;
    yield item;
  }

  protected override placed(id: string): void {
    this.last = id;
  }

  protected async turned(page: MyEvents): Promise<boolean> {
    this.last = page.after;
    return false;
  }

  protected override lost(): void {
    this.there = undefined;
  }
}

function isResponse(what: unknown): what is Response {
  return typeof what === "object" && what !== null && "status" in what && "headers" in what;
}
