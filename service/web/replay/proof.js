// The verify button: checks the record with verify.js and says how far the check went.

import { verifyRecord } from "../verify.js";
import { h } from "./element.js";

const byId = (id) => document.getElementById(id);

/** Checks the record that `record()` answers; `go` leads to a version. */
export class Proof {
  constructor(go) {
    this.go = go;
    byId("check").addEventListener("click", () => this.open());
    byId("again").addEventListener("click", () => this.check());
  }

  /** Open the dialog and check. */
  open() {
    byId("proof").showModal();
    return this.check();
  }

  /** Check the record and tell the verdict. */
  async check() {
    const say = this.say;
    if (!globalThis.crypto?.subtle) return this.#tell("unsure", [h("p", {}, say.no_crypto)]);
    this.#tell("busy", [h("p", {}, say.checking)]);
    let verdict;
    try {
      verdict = await verifyRecord(await this.record(), byId("kept").value.trim() || null);
    } catch (error) {
      return this.#tell("unsure", [h("p", {}, say.refused(error.message))]);
    }
    return verdict.ok ? this.#tell("good", this.#good(verdict.facts)) : this.#tell("bad", this.#bad(verdict));
  }

  #good(facts) {
    const { say } = this;
    return [
      h("p", {}, h("strong", {}, say.checked(facts.events))),
      h(
        "ul",
        {},
        h("li", {}, say.faces(facts.opened, facts.sealed)),
        h("li", {}, facts.salted || facts.over ? say.salts(facts.salted) : say.no_key),
        facts.rolled > 0 && h("li", {}, say.rolls(facts.rolls, facts.rolled)),
        h("li", {}, say.rules),
        h("li", {}, facts.kept === null ? say.not_kept : say.kept_at(facts.kept)),
      ),
      h("p", {}, say.head, " ", h("code", {}, facts.head)),
    ];
  }

  #bad({ line, reason }) {
    const { say } = this;
    const at = line === null ? 0 : line - 1;
    const there = at > 0 && at <= this.last;
    const go = h("button", { type: "button", click: () => this.#leave(at) }, say.go(at));
    return [
      h("p", {}, h("strong", {}, say.damaged(line))),
      h("p", {}, say.reasons[reason] ?? reason, " ", h("code", {}, reason)),
      there && h("p", {}, go),
    ];
  }

  #leave(at) {
    byId("proof").close();
    this.go(at);
  }

  #tell(verdict, parts) {
    byId("verdict").dataset.verdict = verdict;
    byId("verdict").replaceChildren(...parts.filter(Boolean));
  }
}
