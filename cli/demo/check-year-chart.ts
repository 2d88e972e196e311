import { QueryAnswer } from "./answers.ts";
import { sha256 } from "./checksum.ts";
import { askFor, readJson } from "./client.ts";
import type { Works } from "./creations.ts";
import { readDays } from "./rain-figures.ts";
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
