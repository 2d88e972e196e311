import type { SourceRow } from "../../sql/reading/data-sources.ts";
import { addressesOf } from "../ground/addresses.ts";
import { RawJson } from "../ground/raw-json.ts";
import type { Deps } from "../platform/deps.ts";
import { MOST_QUESTION_BYTES } from "../tables/questions/question.ts";
import type { SourceLine } from "../text/charts/render-source-line.ts";
import { presentRelated } from "./relations/present-related.ts";

/** What is kept of a question that a text asks of a file. */
interface AskedRow {
  asset_id: string;
  content_sha256: string;
  question: string;
  source: SourceRow | null;
}

/** What a page says of the source of a chart or figure; `found` says what the question found. */
export function sourceLineOf(deps: Deps, row: AskedRow, found: string): SourceLine {
  const { source } = row;
  const work = source && {
    title: source.retracted ? `Retracted: ${source.title}` : source.title,
    url: presentRelated(deps, toRelated(source)).url,
    revisionNumber: source.revision_number,
    liveNumber: source.live_number,
    hasChanged: !source.is_current,
    diffUrl: diffPageOf(deps, source),
  };
  return { work, queryUrl: queryUrlOf(deps, row), found, contentSha256: row.content_sha256 };
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

function toRelated({ id, type, slug, title, handle, display_name, retracted }: SourceRow) {
  return { id, type, slug, title, handle, display_name, retracted };
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
