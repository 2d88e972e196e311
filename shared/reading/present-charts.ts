import { LRUCache } from "lru-cache";
import type { BoundRow } from "../../sql/reading/bound-charts.ts";
import { listCharts, mayHoldCharts, type TextChart, toTextChart } from "../datasets/drawings/charts.ts";
import { addressesOf } from "../ground/addresses.ts";
import { sha256 } from "../ground/checksum.ts";
import type { Deps } from "../platform/deps.ts";
import { textOf } from "../requests/payload-members.ts";
import { presentBoundCharts, readCharts } from "./bound-charts.ts";

/**
 * The charts of a revision's text, with the addresses of their files; `rows` are those that have their rows from files, and
 * `number` is null for the live revision.
 */
export async function presentCharts(
  deps: Deps,
  { handle, slug }: { handle: string; slug: string },
  { id, payload, number: revision }: ChartsOf,
  rows: readonly BoundRow[],
) {
  const markdown = textOf(payload, "body_markdown");
  if (markdown === null || !mayHoldCharts(markdown)) return [];
  const bound = presentBoundCharts(deps, rows);
  const hashes = Array.from(bound, ([number, { rowsSha256 }]) => `${number} ${rowsSha256}`);
  const charts = bound.size === 0 ? listCharts(markdown) : await listBound(deps, id, markdown, hashes);
  const at = addressesOf(deps.config.siteUrl).charts(handle, slug, revision);
  return charts.map(({ number, title, rows }) => ({
    number,
    title,
    rows,
    bound: bound.get(number)?.source ?? null,
    svg_url: `${at}/${number}.svg`,
    png_url: `${at}/${number}.png`,
    csv_url: `${at}/${number}.csv`,
  }));
}

/** A revision with its payload; `number` is null for the live one. */
interface ChartsOf {
  id: string;
  payload: Readonly<Record<string, unknown>>;
  number: number | null;
}

// The charts of a text depend only on the text and on the rows that they were given, so they never go stale.
const cached = new LRUCache<string, readonly TextChart[]>({ max: 2_000 });

async function listBound(
  deps: Deps,
  revisionId: string,
  markdown: string,
  hashes: readonly string[],
): Promise<readonly TextChart[]> {
  const key = sha256(`${hashes.join()}\n${markdown}`);
  const known = cached.get(key);
  if (known !== undefined) return known;
  const charts = await readCharts(deps, revisionId, markdown);
  const told = Array.from(charts, ([number, chart]) => toTextChart(number, chart));
  // Rows that go with the content of their revision may be gone between two statements.
  if (hashes.every((hash) => charts.has(Number.parseInt(hash, 10)))) cached.set(key, told);
  return told;
}
