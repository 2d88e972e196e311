import { listChartRows } from "../../../sql/datasets/kept-answers.ts";
import type { SourceRow } from "../../../sql/reading/data-sources.ts";
import {
  type BoundRow,
  boundChartsOf,
  type CheckedRow,
  checkedFiguresOf,
  type NowRow,
} from "../../../sql/reading/data-sources.ts";
import type { OpenCreationRow } from "../../../sql/reading/open-creations.ts";
import { findChartBlocks, listCharts, toTextChart } from "../../datasets/drawings/charts.ts";
import type { ShownCharts } from "../../datasets/drawings/render-body.ts";
import { countEvidence } from "../../datasets/evidence/describe-evidence.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { RawJson } from "../../ground/raw-json.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { textOf } from "../../requests/members.ts";
import { MOST_QUESTION_BYTES } from "../../tables/questions/question.ts";
import { renderSourceLine, type SourceLine } from "../../text/charts/render-source-line.ts";
import { describeNow } from "../../text/evidence/evidence-words.ts";
import type { Chart } from "../../text/markdown/charts/chart.ts";
import { parseChart } from "../../text/markdown/charts/parse-chart.ts";
import { readKeptRows } from "../../text/markdown/charts/read-source.ts";
import type { CheckedFigure } from "../../text/markdown/render.ts";
import { presentRelated } from "../relations.ts";

/** What is kept of a question that a text asks of a file. */
type AskedRow = Pick<BoundRow, "asset_id" | "content_sha256" | "question" | "source" | "now">;

/** What a page says of the source of a chart or figure; `found` says what the question found. */
function sourceLineOf(deps: Deps, row: AskedRow, found: string, isLive: boolean): SourceLine {
  const { source } = row;
  const work = source && {
    title: source.retracted ? `Retracted: ${source.title}` : source.title,
    url: presentRelated(deps, toRelated(source)).url,
    revisionNumber: source.revision_number,
    liveNumber: source.live_number,
    hasChanged: !source.is_current,
    diffUrl: diffPageOf(deps, source),
  };
  const told = presentNow(isLive ? row.now : null);
  const now = told && { words: describeNow(told), isOther: told.state === "differs" };
  return { work, queryUrl: queryUrlOf(deps, row), found, contentSha256: row.content_sha256, now };
}

/** The source of a chart or figure as the public JSON has it. */
export function presentSource(deps: Deps, row: AskedRow) {
  const { source } = row;
  return {
    asset_id: row.asset_id,
    content_sha256: row.content_sha256,
    question: new RawJson(row.question),
    query_url: queryUrlOf(deps, row),
    creation: source && presentRelated(deps, toRelated(source)),
    revision_number: source?.revision_number ?? null,
    changed_since: source && !source.is_current,
    diff_url: diffUrlOf(deps, row),
  };
}

/** What the newest data say, as the public JSON has it; null of a revision that is not shown as the live one. */
export function presentNow(now: NowRow | null) {
  return now && { ...now, asked_at: now.asked_at === null ? null : toIso(now.asked_at) };
}

function toRelated({ id, type, slug, title, language, handle, display_name, retracted }: SourceRow) {
  return { id, type, slug, title, language, handle, display_name, retracted };
}

/** What changed in the file since; null where nothing did, and where readers may not fetch one of the two. */
function diffUrlOf({ config }: Deps, { asset_id, question, source }: AskedRow): string | null {
  if (source === null || source.is_current || !source.is_file_open || source.live_asset_id === null)
    return null;
  const { table } = JSON.parse(question) as { table?: string };
  return addressesOf(config.siteUrl).fileDiff(asset_id, source.live_asset_id, table ?? null);
}

/** The page that compares the source's revision with the live one. */
function diffPageOf({ config }: Deps, source: SourceRow): string | null {
  const { handle, slug, revision_number, live_number, is_current, is_file_open } = source;
  if (is_current || !is_file_open) return null;
  return addressesOf(config.siteUrl).diff(handle, slug, revision_number, live_number);
}

/** Null where readers may not ask the file, or the question is too long for an address. */
function queryUrlOf({ config }: Deps, { asset_id, question, source }: AskedRow): string | null {
  if (source === null || !source.is_file_open) return null;
  const url = addressesOf(config.siteUrl).query(asset_id, question);
  return new URL(url).search.length > MOST_QUESTION_BYTES ? null : url;
}

/** The charts of a revision's text that have their rows from files, as its page shows them; null where it has none. */
function showCharts(
  deps: Deps,
  revisionId: string,
  rows: readonly BoundRow[],
  isLive: boolean,
): ShownCharts | null {
  if (rows.length === 0) return null;
  return {
    revisionId,
    hashes: new Map(rows.map(({ number, rows_sha256 }) => [number, rows_sha256])),
    lines: new Map(
      rows.map((row) => {
        const found = countRows(row.row_count, row.rows_found);
        return [row.number, renderSourceLine(sourceLineOf(deps, row, found, isLive))];
      }),
    ),
  };
}

function countRows(count: number, found: number): string {
  const noun = found === 1 ? "row" : "rows";
  return count === found ? `${count} ${noun}` : `${count} of ${found} ${noun}`;
}

/**
 * The charts of a revision's text by their numbers, as they are drawn: from the rows of the block, or from those that
 * the revision keeps.
 */
export async function readCharts(deps: Deps, revisionId: string, text: string): Promise<Map<number, Chart>> {
  const kept = new Map((await listChartRows(deps.pool, revisionId)).map((row) => [row.number, row.rows]));
  const charts = new Map<number, Chart>();
  for (const { number, source } of await findChartBlocks(deps, text)) {
    const parsed = parseChart(source, readKeptRows(kept.get(number)));
    if (parsed.ok) charts.set(number, parsed.chart);
  }
  return charts;
}

/** Reads what data say in the text of a revision: its charts that have their rows from files, and its checked figures. */
export async function readBoundData({ pool }: Deps, revisionId: string) {
  const [charts, figures] = await Promise.all([
    pool.any(boundChartsOf(revisionId)),
    pool.any(checkedFiguresOf(revisionId)),
  ]);
  return { charts, figures };
}

/**
 * What the page of a revision shows of its text beside the text: charts with rows from files, and checked figures; of the
 * live one also what the newest data say.
 */
export function showBoundData(
  deps: Deps,
  revisionId: string,
  { charts, figures }: Awaited<ReturnType<typeof readBoundData>>,
  isLive: boolean,
) {
  return {
    charts: showCharts(deps, revisionId, charts, isLive),
    checked: showFigures(deps, figures, isLive),
  };
}

/** The figures of a revision's text that were checked against data, as its page shows them. */
function showFigures(deps: Deps, rows: readonly CheckedRow[], isLive: boolean): CheckedFigure[] {
  return rows.map((row) => ({
    text: row.text,
    question: row.question,
    line: renderSourceLine(sourceLineOf(deps, row, `the data say ${row.value}`, isLive)),
  }));
}

/** How much of a live story or brief the newest data bear out; null of any other work. */
export async function presentEvidence(
  deps: Deps,
  { type, revision }: Pick<OpenCreationRow, "type" | "revision">,
  { charts, figures }: Awaited<ReturnType<typeof readBoundData>>,
) {
  if (type !== "story" && type !== "brief") return null;
  const tell = ({ now }: AskedRow) => ({ state: now?.state ?? "not_asked", askedMs: now?.asked_at ?? null });
  const told = {
    figures: figures.map((row) => ({ text: row.text, ...tell(row) })),
    charts: charts.map(tell),
  };
  return (await countEvidence(deps, textOf(revision.payload, "body_markdown"), told)).evidence;
}

/** The `figures` of a revision in the public JSON. */
export function presentFigures(deps: Deps, rows: readonly CheckedRow[], isLive: boolean) {
  return rows.map((row) => ({
    ...presentMembers(row, "text", "value", "decimals", "unit", "checked_at"),
    ...presentSource(deps, row),
    now: presentNow(isLive ? row.now : null),
  }));
}

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
  if (markdown === null) return [];
  const sources = new Map(rows.map((row) => [row.number, presentSource(deps, row)]));
  const nows = new Map(rows.map((row) => [row.number, presentNow(revision === null ? row.now : null)]));
  const charts =
    rows.length === 0
      ? await listCharts(deps, markdown)
      : Array.from(await readCharts(deps, id, markdown), ([number, chart]) => toTextChart(number, chart));
  const at = addressesOf(deps.config.siteUrl).charts(handle, slug, revision);
  return charts.map(({ number, title, rows }) => ({
    number,
    title,
    rows,
    bound: sources.get(number) ?? null,
    now: nows.get(number) ?? null,
    page_url: `${at}/${number}`,
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
