// Reads {records, texts, every, resumed} as JSON on standard input, and answers for each record what the page
// makes of it from every perspective: the table and the words at every version, or only the last.
import { historyOfRecord } from "../../../service/web/replay/history.js";
import { Timeline } from "../../../service/web/replay/timeline.js";
import { Words } from "../../../service/web/replay/words.js";

const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { records, texts, every, resumed } = JSON.parse(Buffer.concat(chunks).toString());

for (const record of records) {
  const history = historyOfRecord(new TextEncoder().encode(record));
  if (resumed) history.resumed = resumed;
  const name = history.header.game;
  const game = await import(`../../../service/web/replay/games/${name}/table.js`);
  const spoken = Object.entries(texts[name]).map(([language, each]) => new Words(language, each));
  const folded = {};
  for (const as of every ? history.views : ["spectator"]) {
    const timeline = new Timeline(history, game, as);
    const last = history.events.length;
    const versions = every ? history.events.map((_, i) => i + 1) : [last];
    folded[as] = versions.map((version) => {
      const { table, sitting, told, event, broken } = timeline.at(version);
      const texts = spoken.map((words) => words.tell(event.kind, told));
      const extra = name === "magic_cooking" ? { hidden: game.hiddenIn(table) } : {};
      const waiting = game.waitingFor?.(table) ?? null;
      return { table: { ...table, ...extra }, sitting, texts, waiting, broken };
    });
  }
  console.log(JSON.stringify(folded));
}
