// Moves through the moments: buttons, a slider, keys, and playing at several speeds.

import { drawing, h } from "./element.js";

const STEP = 1400; // milliseconds for an event at speed 1
const SPEEDS = [0.5, 1, 2, 4, 8, 16];
const ICONS = {
  first: "M5 4h2.5v16H5zM20 4v16L9 12z",
  previous: "M17 4v16L6 12z",
  play: "M6 3.5v17L20 12z",
  pause: "M6 4h4.5v16H6zM13.5 4H18v16h-4.5z",
  next: "M7 4v16l11-8z",
  last: "M16.5 4H19v16h-2.5zM4 4v16l11-8z",
};
const byId = (id) => document.getElementById(id);

/** Moves from 0 to `last`; tells `moved(at)` of each new moment, `toggled(name)` what play does. */
export class Transport {
  constructor(moved, toggled) {
    this.moved = moved;
    this.toggled = toggled;
    this.at = 0;
    this.last = 0;
    this.timer = null;
    for (const name of ["first", "previous", "play", "next", "last"]) this.#icon(name, name);
    byId("speed").append(...SPEEDS.map((each) => h("option", { value: each, selected: each === 1 }, `${each}×`)));
    byId("first").addEventListener("click", () => this.go(0));
    byId("previous").addEventListener("click", () => this.go(this.at - 1));
    byId("play").addEventListener("click", () => this.toggle());
    byId("next").addEventListener("click", () => this.go(this.at + 1));
    byId("last").addEventListener("click", () => this.go(this.last));
    byId("slider").addEventListener("input", (event) => this.go(Number(event.target.value)));
    document.addEventListener("keydown", (event) => this.#key(event));
  }

  /** Say how many moments there are, and go to one of them. */
  open(last, at) {
    this.last = last;
    byId("slider").max = String(last);
    this.#show(Math.min(Math.max(at, 0), last));
  }

  /** Go to a moment; playing stops. */
  go(at) {
    this.pause();
    this.#show(Math.min(Math.max(at, 0), this.last));
  }

  /** Play, or stop playing; at the end it starts over. */
  toggle() {
    if (this.playing) return this.pause();
    if (this.at === this.last) this.#show(0);
    this.#tick();
    this.#icon("play", "pause");
    this.toggled("pause");
    return undefined;
  }

  /** Stop playing. */
  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.#icon("play", "play");
    this.toggled("play");
  }

  /** Answer whether it plays. */
  get playing() {
    return this.timer !== null;
  }

  /** Answer how many times faster than usual it plays. */
  get speed() {
    return Number(byId("speed").value);
  }

  #tick() {
    this.timer = setTimeout(() => {
      this.#show(this.at + 1);
      if (this.at < this.last) this.#tick();
      else this.pause();
    }, STEP / this.speed);
  }

  #show(at) {
    this.at = at;
    byId("slider").value = String(at);
    byId("first").disabled = byId("previous").disabled = at === 0;
    byId("last").disabled = byId("next").disabled = at === this.last;
    this.moved(at);
  }

  #icon(id, name) {
    byId(id).replaceChildren(drawing(24, 24, `<path d="${ICONS[name]}" fill="currentColor"/>`));
    byId(id).dataset.sayLabel = name;
  }

  #key(event) {
    const target = event.target instanceof Element ? event.target : document.body;
    if (event.ctrlKey || event.metaKey || event.altKey || byId("board").hidden) return;
    if (target.closest("dialog, select, textarea, input:not([type=range])")) return;
    const pressed = target.closest("button, summary, label") !== null;
    const steps = {
      ArrowLeft: () => this.go(this.at - 1),
      ArrowRight: () => this.go(this.at + 1),
      PageUp: () => this.go(this.at - 10),
      PageDown: () => this.go(this.at + 10),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      " ": () => this.toggle(),
    };
    if (!Object.hasOwn(steps, event.key) || (event.key === " " && pressed)) return;
    event.preventDefault();
    steps[event.key]();
  }
}
