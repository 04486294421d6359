// The address of a moment: `#v=12&as=1`. A token or an invite in it is taken out at once.

const SECRETS = ["token", "invite"];

/** Answer what the address asks for, and keep its secrets for this tab only. */
export function readAddress() {
  const asked = new URLSearchParams(location.hash.slice(1));
  for (const secret of SECRETS) {
    if (asked.has(secret)) keep(secret, asked.get(secret));
    asked.delete(secret);
  }
  if (SECRETS.some((secret) => location.hash.includes(`${secret}=`))) {
    history.replaceState(null, "", `#${asked}`);
  }
  const version = asked.get("v");
  return {
    table: decodeURIComponent(/\/replay\/([^/]+)$/.exec(location.pathname)?.[1] ?? "") || null,
    version: /^\d{1,9}$/.test(version ?? "") ? Number(version) : null,
    as: asked.get("as"),
  };
}

/** Answer the address of a moment, as a fragment. */
export const fragment = (version, as) => `#v=${version}&as=${as}`;

/** Put the moment into the address, without a new step in the browser's history. */
export function writeAddress(version, as) {
  if (location.hash !== fragment(version, as)) history.replaceState(null, "", fragment(version, as));
}

/** Keep a secret until the tab is closed. */
export function keep(name, value) {
  if (value) sessionStorage.setItem(`abraxas ${name}`, value);
  else sessionStorage.removeItem(`abraxas ${name}`);
}

/** Answer a secret that was kept, or null. */
export const kept = (name) => sessionStorage.getItem(`abraxas ${name}`);
