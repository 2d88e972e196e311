import { setTimeout as delay } from "node:timers/promises";
import { Comparison, TableDiff } from "./answers.ts";
import { askFor, readJson } from "./client.ts";
import { hold } from "./steps.ts";

const COUNTED_WITHIN_MS = 30_000;
const FIRST_PAUSE_MS = 100;

/** The first revision's file has these rows, and the second adds those. */
interface Rows {
  rows: number;
  added: number;
}

/** Checks the comparison of both revisions: its page, its counts, and the rows that the counts lead to. */
export async function checkComparison(url: string, { rows, added }: Rows): Promise<string> {
  await askFor(200, url);
  const file = await pollUntilCounted(`${url}.json`);
  hold(file.change === "changed", `it says that the file is ${file.change}`);
  hold(file.from?.row_count === rows, `its first file has ${file.from?.row_count} rows, not ${rows}`);
  hold(file.to?.row_count === rows + added, `its second has ${file.to?.row_count} rows`);
  hold(file.rows?.added === added, `it counts ${file.rows?.added} rows that came, not ${added}`);
  hold(file.diff_url !== null, "it does not lead to the rows");
  const { summary } = readJson(await askFor(200, file.diff_url), TableDiff).data;
  const counts = `${summary.added} added, ${summary.removed} removed, ${summary.changed} changed`;
  hold(counts === `${added} added, 0 removed, 0 changed`, `the rows themselves say: ${counts}`);
  return file.diff_url;
}

/** The dataset's file, once a worker has counted what changed in it. */
async function pollUntilCounted(url: string) {
  const deadline = performance.now() + COUNTED_WITHIN_MS;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 2) {
    const [file] = readJson(await askFor(200, url), Comparison).data.files;
    hold(file !== undefined, "it names no file");
    if (file.rows !== null) return file;
    hold(performance.now() < deadline, "nobody counted the rows that came");
    await delay(pauseMs);
  }
}
