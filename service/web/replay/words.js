// Says what happened in words, from the texts of a game and of the table.
//
// The sentences and how they are filled are those of the server (domain/texts.py): braces name
// fields, a colon leads through a vocabulary, alternatives are chosen by what was told.

/** The words of one language; `texts` is null where no server could be asked for them. */
export class Words {
  constructor(language, texts = null) {
    this.language = language;
    this.rooms = texts ? [texts.game, texts.table] : [];
    this.cards = new Map((texts?.cards ?? []).map((card) => [card.id, card]));
    this.title = texts?.name ?? null;
  }

  /** Answer the name of a value of a vocabulary. */
  name(vocabulary, value) {
    for (const room of this.rooms) {
      if (Object.hasOwn(room[vocabulary] ?? {}, String(value))) return room[vocabulary][value];
    }
    return spaced(value);
  }

  /** Answer the name of a card. */
  card(id) {
    return this.cards.get(id)?.name ?? spaced(id);
  }

  /** Say an event in words, by the fields that were told of it. */
  tell(kind, told) {
    for (const room of this.rooms) {
      const sentence = chosen(room.events?.[kind], told);
      if (sentence !== undefined) return fill(room, sentence, told);
    }
    return plainly(kind, told);
  }
}

function chosen(sentence, told) {
  if (!Array.isArray(sentence)) return sentence;
  return sentence.find((each) => holds(each.when ?? {}, told))?.say;
}

function holds(when, told) {
  return Object.entries(when).every(([field, wanted]) => {
    if (wanted !== null && typeof wanted === "object" && !Array.isArray(wanted)) {
      return Object.hasOwn(told, field) === wanted.told;
    }
    return Object.hasOwn(told, field) && JSON.stringify(told[field]) === JSON.stringify(wanted);
  });
}

function fill(room, sentence, told) {
  return sentence.replace(/\{([^}:]*):?([^}]*)\}/g, (_, path, vocabulary) => {
    const value = path.split(".").reduce((inside, step) => inside?.[step], told);
    return said(room, vocabulary, value);
  });
}

function said(room, vocabulary, value) {
  if (Array.isArray(value)) {
    return value.map((each) => said(room, vocabulary, each)).join(", ") || (room.none ?? "–");
  }
  if (vocabulary === "seat") return String(Number(value) + 1);
  return String(room[vocabulary]?.[String(value)] ?? value);
}

/** Say an event without any texts: better than silence. */
function plainly(kind, told) {
  const facts = Object.entries(told)
    .filter(([, value]) => value !== null && JSON.stringify(value).length < 120)
    .map(([name, value]) => `${spaced(name)} ${shown(name, value)}`);
  const what = kind.replace(/(?<!^)([A-Z])/g, (each) => ` ${each.toLowerCase()}`);
  return facts.length ? `${what}: ${facts.join("; ")}.` : `${what}.`;
}

function shown(name, value) {
  if (Array.isArray(value)) return value.map((each) => shown(name, each)).join(", ") || "–";
  if (["seat", "to", "by", "owner"].includes(name)) return String(Number(value) + 1);
  return typeof value === "object" ? JSON.stringify(value) : spaced(value);
}

function spaced(value) {
  return String(value).replaceAll("_", " ");
}
