// Waiting: for limits, between attempts, for silence to end.

/** How fast the server lets us ask: what its `RateLimit` headers said last. */
export class Pace {
  private readonly free = new Map<string, number>();

  /** Answer the milliseconds until a bucket has something in it. */
  wait(bucket: string): number {
    return Math.max(0, (this.free.get(bucket) ?? 0) - Date.now());
  }

  /** Learn from an answer's headers. */
  heard(answer: Response): void {
    for (const said of (answer.headers.get("RateLimit") ?? "").split(",")) {
      const found = /"([^"]+)";r=(\d+);t=(\d+)/.exec(said);
      if (found) {
        this.free.set(found[1]!, found[2] === "0" ? Date.now() + Number(found[3]) * 1000 : 0);
      }
    }
  }
}

/** Answer the milliseconds to wait after so many failures in a row; never twice the same. */
export function backoff(tries: number): number {
  return Math.min(20_000, 250 * 2 ** tries) * (0.5 + Math.random() / 2);
}

/** Answer the milliseconds that an answer asks to wait for, 0 if it does not. */
export function retryAfter(answer: Response): number {
  const said = answer.headers.get("Retry-After") ?? "";
  return /^\d+$/.test(said) ? Number(said) * 1000 : 0;
}

/** Wait, or less long if the signal is given up. */
export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal?.aborted) return done();
    const timer = setTimeout(finish, milliseconds);
    signal?.addEventListener("abort", finish);
    function finish() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", finish);
      done();
    }
  });
}

/** Gives up what it guards when nothing is heard for a while, or when somebody else gives up. */
export class Guard {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private readonly abort = () => this.controller.abort();

  constructor(
    private readonly silence: number,
    private readonly outer?: AbortSignal,
  ) {
    if (outer?.aborted) this.abort();
    outer?.addEventListener("abort", this.abort);
    this.heard();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  /** Start counting the silence anew. */
  heard(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(this.abort, this.silence);
  }

  /** Let go: whatever still runs is given up. */
  end(): void {
    clearTimeout(this.timer);
    this.outer?.removeEventListener("abort", this.abort);
    this.abort();
  }
}

/** Choose a key for one wish: unlike any other, though no secret. */
export function newKey(): string {
  const random: Crypto | undefined = globalThis.crypto;
  if (random?.randomUUID) return random.randomUUID();
  const bytes = new Uint8Array(16);
  // React Native has no crypto; a key only has to differ from the player's other keys.
  if (random?.getRandomValues) random.getRandomValues(bytes);
  else bytes.forEach((_, at) => (bytes[at] = Math.floor(Math.random() * 256)));
  const text = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  return `${Date.now().toString(16)}-${text}`;
}
