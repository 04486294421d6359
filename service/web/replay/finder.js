// Finds a card: picked on the table or by its name, shown large, with the moments it appears at.

import { h } from "./element.js";
import { appearances } from "./timeline.js";

const byId = (id) => document.getElementById(id);

/** Follows one card through the history. */
export class Finder {
  constructor(go) {
    this.go = go;
    this.card = null;
    this.at = 0;
    this.found = [];
    byId("card").addEventListener("change", () => this.#typed());
    byId("earlier").addEventListener("click", () => this.#jump(this.found.findLast((each) => each < this.at)));
    byId("later").addEventListener("click", () => this.#jump(this.found.find((each) => each > this.at)));
    byId("stage").addEventListener("click", (event) => {
      const picked = event.target.closest("[data-card]");
      if (picked) this.pick(picked.dataset.card === this.card ? null : picked.dataset.card);
    });
  }

  /** Look into a history from a perspective, in some words. */
  open({ history, as, words, game, say }) {
    Object.assign(this, { history, as, words, game, say });
    byId("cards").replaceChildren(
      ...[...words.cards.values()].map((card) => h("option", { value: card.name })),
    );
    this.pick(this.card);
  }

  /** Follow a card, or none. */
  pick(card) {
    this.card = card;
    this.found = card === null ? [] : appearances(this.history, this.as, card);
    byId("card").value = card === null ? "" : this.words.card(card);
    this.#tell();
    this.mark();
  }

  /** Say where the moment stands among the appearances. */
  move(at) {
    this.at = at;
    this.#tell();
    this.mark();
  }

  /** Mark the card on the table. */
  mark() {
    for (const each of document.querySelectorAll("#stage [data-card]")) {
      each.classList.toggle("picked", each.dataset.card === this.card);
    }
  }

  #typed() {
    const wanted = byId("card").value.trim().toLowerCase();
    const known = [...this.words.cards.values()].find(
      (card) => card.name.toLowerCase() === wanted || card.id.toLowerCase() === wanted,
    );
    this.pick(known?.id ?? null);
    if (wanted && !known) byId("found").replaceChildren(h("p", {}, this.say.unknown_card));
    const first = this.found.find((each) => each >= this.at) ?? this.found[0];
    if (known && first !== undefined) this.go(first);
  }

  #jump(at) {
    if (at !== undefined) this.go(at);
  }

  #tell() {
    byId("earlier").disabled = !this.found.some((each) => each < this.at);
    byId("later").disabled = !this.found.some((each) => each > this.at);
    if (this.card === null) return byId("found").replaceChildren();
    const place = this.found.indexOf(this.at) + 1;
    const all = this.found.length;
    const said = !all ? this.say.never : place ? this.say.found(place, all) : this.say.find_count(all);
    return byId("found").replaceChildren(h("div", { class: "large" }, this.game.card(this.card, this.words)), h("p", {}, said));
  }
}
