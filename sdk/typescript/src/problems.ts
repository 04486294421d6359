// What can go wrong: the server says no, or cannot be reached.

import type { Problem } from "./wire.js";

/** The server's answer is a problem; programs look at `code`. Rules refuse with status 409. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly code: string;

  constructor(
    readonly status: number,
    readonly problem: Partial<Problem>,
  ) {
    super(`${status} ${problem.code ?? "(no problem document)"}: ${problem.detail ?? ""}`);
    this.code = problem.code ?? "";
  }

  /** Read an answer; one that is no problem has an empty code. */
  static async of(answer: Response): Promise<ProblemError> {
    const told: unknown = await answer.json().catch(() => null);
    return new ProblemError(answer.status, typeof told === "object" && told ? told : {});
  }
}

/**
 * No answer came while there was patience left. A command may count or not: send it again with
 * the same `key` to find out.
 */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";

  constructor(
    what: string,
    readonly cause: unknown,
  ) {
    super(`${what}: ${String(cause)}`);
  }
}
