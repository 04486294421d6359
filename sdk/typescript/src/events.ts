// Server-sent events out of pieces of text.

/** An event: `message` unless it says otherwise. */
export interface SentEvent {
  name: string;
  data: string;
}

/** Reads events; what was cut off in the middle is never told. */
export class Events {
  /** That of the last event that was complete. */
  id: string | undefined;
  private rest = "";

  /** Answer each event that is complete now. */
  feed(text: string): SentEvent[] {
    const blocks = (this.rest + text).replace(/\r\n/g, "\n").split("\n\n");
    this.rest = blocks.pop() ?? "";
    return blocks.flatMap((block) => this.read(block));
  }

  private read(block: string): SentEvent[] {
    let name = "message";
    const data: string[] = [];
    for (const line of block.split("\n")) {
      const colon = line.indexOf(":");
      const word = colon < 0 ? line : line.slice(0, colon);
      const said = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
      if (word === "event") name = said;
      else if (word === "id") this.id = said;
      else if (word === "data") data.push(said);
    }
    return data.length ? [{ name, data: data.join("\n") }] : [];
  }
}
