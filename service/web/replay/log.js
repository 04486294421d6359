// The events in words, beside the table: each is a link to its moment.

import { fragment } from "./address.js";
import { h } from "./element.js";

const LIST = () => document.getElementById("log");

/** Write every event in words. */
export function writeLog(sentences, as) {
  LIST().replaceChildren(
    ...sentences.map(({ version, text, quiet }, i) =>
      h("li", { value: version, class: quiet ? "quiet" : null }, h("a", { href: fragment(i + 1, as), "data-at": i + 1 }, text)),
    ),
  );
}

/** Mark the event of a moment, and bring it into sight within the list only. */
export function markLog(at) {
  const list = LIST();
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const items = list.children;
  for (let i = 0; i < items.length; i += 1) items[i].classList.toggle("ahead", i >= at);
  const item = items[Math.max(0, at - 1)];
  if (!item) return;
  if (at > 0) item.firstChild.setAttribute("aria-current", "step");
  const above = item.offsetTop - list.scrollTop;
  if (above < 40 || above > list.clientHeight - 90) {
    list.scrollTop = item.offsetTop - list.clientHeight / 2;
  }
}
