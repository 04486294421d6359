// The cards of Magic Cooking, drawn: each ingredient a simple picture with its name and stars.

import { drawing, escaped } from "../../element.js";

// Each in a square of 40.
const PICTURES = {
  crow_feather: `<path d="M31 5C19 7 11 16 9 29l-3 6" fill="none" stroke="#20242b" stroke-width="2" stroke-linecap="round"/>
    <path d="M32 4c2 9-3 20-12 23-4 1.4-8 1.6-11 1.6C10 18 19 6 32 4z" fill="#2c3440"/>
    <path d="M28 9C20 14 14 20 10 28M24 20l-6 .5M27 14l-6 1M20 24l-5 0" fill="none" stroke="#8b98ab" stroke-width="1.1"/>`,
  albino_crow_feather: `<path d="M31 5C19 7 11 16 9 29l-3 6" fill="none" stroke="#6b6257" stroke-width="2" stroke-linecap="round"/>
    <path d="M32 4c2 9-3 20-12 23-4 1.4-8 1.6-11 1.6C10 18 19 6 32 4z" fill="#fff" stroke="#6b6257" stroke-width="1.6"/>
    <path d="M28 9C20 14 14 20 10 28M24 20l-6 .5M27 14l-6 1M20 24l-5 0" fill="none" stroke="#a79d8f" stroke-width="1.1"/>
    <path d="m9 7 1.3 2.8 3 .4-2.2 2.1.6 3L9 13.8l-2.7 1.5.6-3-2.2-2.1 3-.4z" fill="#c9971c"/>`,
  spiderweb: `<g fill="none" stroke="#4b5563" stroke-width="1.5" stroke-linecap="round">
    <path d="M20 3v34M3 20h34M8 8l24 24M32 8 8 32"/>
    <path d="M20 12q2.8 2.5 5.7 2.3Q25.5 17.5 28 20q-2.5 2.5-2.3 5.7Q22.8 25.5 20 28q-2.8-2.5-5.7-2.3Q14.5 22.5 12 20q2.5-2.5 2.3-5.7Q17.2 14.5 20 12z"/>
    <path d="M20 6q4.5 4 10 4-.2 5.5 4 10-4.2 4.5-4 10-5.5 0-10 4-4.5-4-10-4 .2-5.5-4-10 4.2-4.5 4-10 5.5 0 10-4z"/></g>
    <circle cx="27" cy="27" r="2.6" fill="#1f2937"/>`,
  mandrake_root: `<path d="M20 13c5 0 7 3.5 6.5 8-.3 2.8 1 5 4.5 8-4-.2-6-1.5-7-3.5-.4 4-1.5 7-3 11.5-1.2-3.5-1.8-5.5-2-9-1.6 3.5-4 5.5-8.5 6.5 3-3 4-5.5 3.4-9C13 20 14 13 20 13z" fill="#a2672f"/>
    <circle cx="17.6" cy="19.5" r="1.1" fill="#3b2410"/><circle cx="22.6" cy="19.5" r="1.1" fill="#3b2410"/><path d="M18.3 23.3q1.8 1.5 3.6 0" stroke="#3b2410" stroke-width="1.2" fill="none" stroke-linecap="round"/>
    <path d="M20 13c-1-5-5-8-10-8 0 5 4 8 10 8zm0 0c0-5 3-9 8-10 1 6-3 9-8 10zm0 0c-1.5-3-1-8 0-11 1.8 3 1.8 8 0 11z" fill="#3f7d3a"/>`,
  dragon_scale: `<path d="M20 4c8 4 12 10 12 17 0 8-6 13-12 16C14 34 8 29 8 21 8 14 12 8 20 4z" fill="#b3261e"/>
    <path d="M20 4c8 4 12 10 12 17 0 8-6 13-12 16z" fill="#8c1913"/>
    <path d="M20 10c4 2.5 6.5 6.5 6.5 11 0 4.5-3 8-6.5 10-3.5-2-6.5-5.5-6.5-10 0-4.5 2.5-8.5 6.5-11z" fill="none" stroke="#f3b27a" stroke-width="1.5"/><path d="M20 16v11" stroke="#f3b27a" stroke-width="1.5" stroke-linecap="round"/>`,
  unicorn_horn: `<path d="M31 3 10 29l7 6z" fill="#efe3f7" stroke="#6d4b86" stroke-width="1.6" stroke-linejoin="round"/>
    <path d="m26.8 8.4 2 2.2M23 13l3.2 3.3M19.3 17.6l4 4M15.4 22.3l5 5M12 26.6l5.7 5.6" stroke="#6d4b86" stroke-width="1.5" stroke-linecap="round"/>
    <path d="M33 20l1 2.5 2.6.3-2 1.8.6 2.6-2.2-1.4-2.2 1.4.6-2.6-2-1.8 2.6-.3zM11 8l.8 2 2 .2-1.5 1.4.4 2L11 12.5l-1.7 1.1.4-2-1.5-1.4 2-.2z" fill="#b58bd0"/>`,
  toad_slime: `<path d="M6 20c0-7 6-11 14-11s14 4 14 11c0 4-2 6-2 9 0 2-3 2-3 0 0-1.5-.5-2.5-1.5-2.5S26 28 26 30c0 4-3.5 6-3.5 2.5 0-2-.5-3.5-2-3.5s-1.5 2-2 4c-.7 2.5-3 2.5-3 0 0-2 .4-4-1.3-4-1.4 0-1.5 1.2-1.7 2.5-.2 1.6-2.7 1.5-2.7-.5C9.8 27.5 6 25 6 20z" fill="#6f9b2f"/>
    <circle cx="12.5" cy="10" r="4.2" fill="#6f9b2f"/><circle cx="27.5" cy="10" r="4.2" fill="#6f9b2f"/><circle cx="12.5" cy="9.6" r="2.5" fill="#fff"/><circle cx="27.5" cy="9.6" r="2.5" fill="#fff"/><path d="M11 9.6h3M26 9.6h3" stroke="#1d2a0a" stroke-width="1.6"/>
    <path d="M12 18q8 5 16 0" fill="none" stroke="#33490f" stroke-width="1.7" stroke-linecap="round"/>`,
  rat_tail: `<path d="M6 30c5-1 5-9 10-9s4 10 9 10 7-6 6-12-3-9-1-14" fill="none" stroke="#c98a8a" stroke-width="4.5" stroke-linecap="round"/>
    <path d="m8.5 27 2.5 2M12.5 22l3 1.7M18 22.3l-1.5 2.8M19.8 27l-2.6 1.5M24 30.8l.6-3M28.5 29l-2-2.5M31.2 24l-3-.8M30.6 17.5l-2.9.8M28.7 11.5l-2.4 1" stroke="#8f5757" stroke-width="1.2"/>`,
  newt_eye: `<ellipse cx="20" cy="20" rx="16" ry="11.5" fill="#fff" stroke="#35512f" stroke-width="2"/><circle cx="20" cy="20" r="8.5" fill="#d98e04"/><ellipse cx="20" cy="20" rx="2.6" ry="7.5" fill="#181408"/><circle cx="23.5" cy="16.5" r="1.8" fill="#fff"/>
    <path d="M6 12 4 9M13 8l-1-3.5M20 7V3.5M27 8l1-3.5M34 12l2-3" stroke="#35512f" stroke-width="1.6" stroke-linecap="round"/>`,
  bat_wing: `<path d="M4 12c6-5 13-6 17-3 3 2 8 1.5 15-3-1 7-.5 13 1 20-4-3-7-3-9.5-.5-1.5-3.5-4-5-7.5-3.5-1 4-2.5 6.5-5 9-1-4.5-3-7-6.5-7.5C10 19 8.5 15 4 12z" fill="#4b3a5a"/>
    <path d="M4 12c7 .5 13 1 17-3M21 9c-3 5-5 11-6 22M21 9c0 5 0 9-1 13M21 9c3 5 5 10 6.5 16.5" fill="none" stroke="#b9a5cc" stroke-width="1.2"/>`,
  toadstool: `<path d="M15.5 20h9l1.5 13c0 2.5-2.5 4-6 4s-6-1.5-6-4z" fill="#f4e8d4" stroke="#8a7357" stroke-width="1.2"/><path d="M4 21C4 11 11 4 20 4s16 7 16 17c-10 3-22 3-32 0z" fill="#c62f22"/>
    <g fill="#fff"><circle cx="13" cy="14" r="2.8"/><circle cx="22" cy="9.5" r="2.3"/><circle cx="27.5" cy="16" r="3"/><circle cx="19.5" cy="18" r="1.7"/><circle cx="9" cy="19.3" r="1.4"/></g>`,
  nettle: `<path d="M20 37V13" stroke="#2f6b35" stroke-width="2" stroke-linecap="round"/>
    <path d="m20 3 3 3-.4 2.6 2.4 1.6-1 2.6 1.6 2.4L20 20l-5.6-4.8 1.6-2.4-1-2.6 2.4-1.6L17 6z" fill="#3c8a45"/>
    <path d="m19.5 27-4.5-6-2.6.8-1.9-1.7-2.6.9-1.9-1.9-3 1 1.5 3-1 2 2.4 1.8.3 2.7 3 .4 2 2.3z" fill="#3c8a45"/><path d="m20.5 27 4.5-6 2.6.8 1.9-1.7 2.6.9 1.9-1.9 3 1-1.5 3 1 2-2.4 1.8-.3 2.7-3 .4-2 2.3z" fill="#3c8a45"/>
    <path d="M20 5v14M5 21l13 6M35 21l-13 6" stroke="#c7e3b2" stroke-width="1"/>`,
  snail_shell: `<circle cx="20" cy="19" r="14.5" fill="#c58b4e"/><path d="M33 26c2 3 3 6 2 8H11c-2 0-3-1-3-2z" fill="#e0c39a"/><circle cx="20" cy="19" r="14.5" fill="none" stroke="#6f4519" stroke-width="1.6"/>
    <path d="M33 22c-1.5 6-7 9-12.5 8-6-1-9.5-6-8.5-11.5.9-5 5.5-8 10-7 4 .9 6 4.5 5 8-.8 3-3.6 4.3-6.2 3.4-2-.8-2.8-2.8-2-4.5" fill="none" stroke="#6f4519" stroke-width="2.2" stroke-linecap="round"/>`,
};
const UNKNOWN = `<circle cx="20" cy="20" r="13" fill="none" stroke="#6b6257" stroke-width="2"/><text x="20" y="26" font-size="18" text-anchor="middle" fill="#6b6257">?</text>`;
const GROUNDS = {
  crow_feather: "#e5e9ef", spiderweb: "#eceaf2", albino_crow_feather: "#ece5da", mandrake_root: "#f2e7d6",
  dragon_scale: "#fae0da", unicorn_horn: "#f1e8f7", toad_slime: "#e9f1d6", rat_tail: "#f7e7e5", newt_eye: "#f7eed3",
  bat_wing: "#e9e3ef", toadstool: "#fbe5e0", nettle: "#e2f0dd", snail_shell: "#f4e9da",
};
const MAGES = {
  brady: ["#2b2d31", "#d8d8da"], emilien: ["#a92a22", "#ffe1da"], enrico: ["#2a7042", "#def1e1"],
  from: ["#f3f1ea", "#55503f"], gordon: ["#2359a1", "#dfeafa"], moka: ["#dcc39a", "#4c3818"],
};
const STAR = "m0-5 1.5 3.2 3.5.4-2.6 2.4.7 3.5L0 2.8-3.1 4.5l.7-3.5L-5-1.4l3.5-.4z";

/** Draw a card's face. */
export function face(card, words) {
  const facts = words.cards.get(card) ?? {};
  const name = words.card(card);
  const lines = broken(name, 11);
  const stars = facts.stars ?? 0;
  const starred = Array.from({ length: stars }, (_, i) =>
    `<path transform="translate(${32 + (i - (stars - 1) / 2) * 11} 10.5)" d="${STAR}" fill="#c98a00" stroke="#6e4b00" stroke-width=".6"/>`,
  ).join("");
  const written = lines
    .map((line, i) => `<text x="32" y="${82 - (lines.length - 1 - i) * 9}" font-size="9" font-weight="600" text-anchor="middle" fill="#2b251c"${line.length > 11 ? ' textLength="58" lengthAdjust="spacingAndGlyphs"' : ""}>${escaped(line)}</text>`)
    .join("");
  const size = lines.length > 2 ? 38 : 43;
  const top = stars ? 17 : lines.length > 2 ? 8 : 11;
  return drawing(
    64,
    90,
    `<rect x=".75" y=".75" width="62.5" height="88.5" rx="7" fill="#fffdf7" stroke="#00000038" stroke-width="1.5"/>
    <rect x="4" y="4" width="56" height="${lines.length > 2 ? 54 : 62}" rx="4.5" fill="${GROUNDS[card] ?? "#eee"}"/>
    <g transform="translate(${32 - size / 2} ${top}) scale(${size / 40})">${PICTURES[card] ?? UNKNOWN}</g>
    ${starred}${written}`,
    stars ? `${name}, ${stars}★` : name,
  );
}

/** Break a name into lines of at most so many letters, where it has words. */
function broken(name, most) {
  const lines = [];
  for (const word of name.replaceAll("-", "-\u200b").split(/[ \u200b]/)) {
    const last = lines.at(-1);
    const joined = last === undefined ? word : last.endsWith("-") ? last + word : `${last} ${word}`;
    if (last !== undefined && joined.length <= most) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  return lines;
}

/** Draw a card's back. */
export function back() {
  return drawing(
    64,
    90,
    `<rect x=".75" y=".75" width="62.5" height="88.5" rx="7" fill="#3d2f5c" stroke="#00000055" stroke-width="1.5"/>
    <rect x="5.5" y="5.5" width="53" height="79" rx="4" fill="none" stroke="#cdbdf0" stroke-opacity=".6" stroke-width="1.3"/>
    <g fill="#d9c88a" opacity=".9"><path transform="translate(32 45) scale(2.4)" d="${STAR}"/>
      <path transform="translate(18 22)" d="${STAR}"/><path transform="translate(46 22)" d="${STAR}"/>
      <path transform="translate(18 68)" d="${STAR}"/><path transform="translate(46 68)" d="${STAR}"/></g>`,
  );
}

/** Draw a mage: a hat in the mage's colour with the initial; one that is spent is turned over. */
export function mage(id, name, spent, title) {
  const [colour, ink] = MAGES[id] ?? ["#666", "#fff"];
  const figure = spent
    ? `<rect x="9" y="7" width="30" height="34" rx="4" fill="#3d2f5c" stroke="#cdbdf0" stroke-opacity=".6"/><path d="M16 16l16 16M32 16 16 32" stroke="#cdbdf0" stroke-width="2.5" stroke-linecap="round"/>`
    : `<path d="M24 2c3 6 9 17 12 24H12C15 19 21 8 24 2z" fill="${colour}" stroke="#1b1a17" stroke-width="1.3"/>
      <ellipse cx="24" cy="27" rx="17" ry="4" fill="${colour}" stroke="#1b1a17" stroke-width="1.3"/>
      <path d="M14 30h20c0 6-3 15-10 15s-10-9-10-15z" fill="#f4d9bd"/><path d="M14 34c3 2 6 2 10 2s7 0 10-2c0 6-4 12-10 12s-10-6-10-12z" fill="#fbfbf8" stroke="#1b1a17" stroke-opacity=".35"/>
      <circle cx="20" cy="32.5" r="1.1" fill="#222"/><circle cx="28" cy="32.5" r="1.1" fill="#222"/>
      <text x="24" y="23" font-size="12" font-weight="800" text-anchor="middle" fill="${ink}">${escaped(name[0])}</text>`;
  return drawing(48, 48, figure, title, { class: "mage" });
}
