import { setTimeout as delay } from "node:timers/promises";
import { verifyLog } from "../../shared/trust/transparency-log/verify-log.ts";
import { PublicCreation, QueryAnswer } from "./answers.ts";
import { sha256 } from "./checksum.ts";
import { ask, askFor, readJson } from "./client.ts";
import type { Works } from "./creations.ts";
import { PROVED, readDays } from "./rain-figures.ts";
import { hold } from "./steps.ts";

/** Follows the link under the chart to the answer of its question, and counts the same here; returns that address. */
export async function checkYearChart({ dataset, story, csv }: Works): Promise<string> {
  const { text } = await askFor(200, story.publicUrl);
  const line = /<p class="small">Data: .*?<\/p>/.exec(text)?.[0].replaceAll("&amp;", "&") ?? "";
  hold(
    line.includes(`href="${new URL(dataset.publicUrl).pathname}"`),
    "no line under the chart leads to the dataset",
  );
  hold(line.includes(sha256(csv).slice(0, 12)), "the line does not name the file's SHA-256");
  const link = /href="([^"]*\/query\?[^"]*)"/.exec(line)?.[1] ?? "";
  const address = new URL(link, story.publicUrl).href;
  const { data } = readJson(await askFor(200, address), QueryAnswer);
  const days = readDays(csv.toString("utf8"));
  const byYear = Map.groupBy(days, ({ date, location }) => `${date.slice(0, 4)},${location}`);
  const counted = Array.from(byYear, ([name, ofYear]) => {
    return [name, ofYear.reduce((sum, { tenths }) => sum + tenths, 0) / 10];
  });
  const inOrder = (rows: readonly (readonly unknown[])[]) =>
    rows
      .map((row) => row.join())
      .toSorted()
      .join("; ");
  hold(
    inOrder(data.rows) === inOrder(counted),
    `its rows are ${inOrder(data.rows)}, not ${inOrder(counted)}`,
  );
  return address;
}

/** Reads what the data said of the story's figures, and that its page marks each; returns them in one line. */
export async function checkProved({ story }: Works): Promise<string> {
  const { data } = readJson(await askFor(200, story.jsonUrl), PublicCreation);
  hold(data.figures.length === PROVED.length, `it has ${data.figures.length} figures`);
  const { text: page } = await askFor(200, story.publicUrl);
  hold(page.includes("Figures checked against the data"), "the page does not list them");
  for (const { text } of data.figures) hold(page.includes(`>${text}</a>`), `the page does not mark ${text}`);
  return data.figures.map(({ text, value }) => `${text} (${value})`).join(", ");
}

const IN_WITHIN_MS = 10_000;
const PAUSE_MS = 100;

/** Checks the transparency log as a stranger does, with the proof of a publication; tells how long it is. */
export async function checkLog(site: string, { jsonUrl }: { jsonUrl: string }): Promise<string> {
  const log = `${site}/log`;
  // A data folder of before has none, until an operator makes its key.
  if ((await ask(`${log}/checkpoint`)).status === 404) return "the service has none";
  const proof = (await askFor(200, await pollProofUrl(jsonUrl))).text;
  const verdict = await verifyLog(log, { vkeys: [], checkpoint: null, proof, entries: true });
  hold(verdict.faults.length === 0, verdict.faults.join(" "));
  return `${verdict.size} entries`;
}

async function pollProofUrl(jsonUrl: string): Promise<string> {
  const deadline = performance.now() + IN_WITHIN_MS;
  for (;;) {
    const { data } = readJson(await askFor(200, jsonUrl), PublicCreation);
    if (data.log !== null) return data.log.proof_url;
    hold(performance.now() < deadline, "the publication is not in the log after ten seconds");
    await delay(PAUSE_MS);
  }
}
