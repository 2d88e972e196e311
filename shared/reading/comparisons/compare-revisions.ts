import { isDeepStrictEqual } from "node:util";
import { type FileRow, listFilesOfRevision } from "../../../sql/datasets/revision-files.ts";
import { type KeptRow, listKeptCounts } from "../../../sql/reading/file-diffs.ts";
import { listOpenFilesOf } from "../../../sql/reading/open-files.ts";
import type { RevisionRow } from "../../../sql/works/revisions.ts";
import type { RenderContext } from "../../datasets/drawings/render-body.ts";
import { readInspection, readTables } from "../../datasets/uploads/public-files.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { refuse } from "../../ground/errors.ts";
import { presentMembers } from "../../ground/present-members.ts";
import type { Deps } from "../../platform/deps.ts";
import type { TextDiff } from "../../tables/differences/diff-texts.ts";
import { type FilePair, pairFiles } from "../../tables/differences/pair-files.ts";
import { patchJson } from "../../tables/differences/patch-json.ts";
import { mirrorCounts, NOTHING_CHANGED, RowCounts } from "../../tables/differences/row-counts.ts";

/** A revision whose content is there. */
export type ComparedRevision = RevisionRow & { payload: Record<string, unknown> };

/** What changed between two revisions: as the JSON tells it, and the hunks of the text as a page shows them. */
export type RevisionDiff = Awaited<ReturnType<typeof compareRevisions>>;

type Context = Pick<RenderContext, "deps" | "threads">;

/** The revision itself; throws `revision_content_removed` where its content was removed. */
export function requireContent(revision: RevisionRow): ComparedRevision {
  const { payload } = revision;
  if (payload !== null) return { ...revision, payload };
  throw refuse(
    "revision_content_removed",
    `The content of revision ${revision.revision_number} was removed, so it cannot be compared.`,
    "Compare two revisions that have their content.",
  );
}

/** Compares two revisions; the payloads are those that the reader may see. */
export async function compareRevisions(
  { deps, threads }: Context,
  from: ComparedRevision,
  to: ComparedRevision,
) {
  const [text, files] = await Promise.all([compareBodies(threads, from, to), pairFilesOf(deps, from, to)]);
  return { data: presentDiff(from, to, text, files), shown: text?.shown ?? [] };
}

/** Null for types without a text. */
async function compareBodies(
  threads: RenderContext["threads"],
  from: ComparedRevision,
  to: ComparedRevision,
): Promise<TextDiff | null> {
  const [before, after] = [from.payload.body_markdown, to.payload.body_markdown];
  if (typeof before !== "string" || typeof after !== "string") return null;
  if (before === after) return { hunks: "", linesAdded: 0, linesRemoved: 0, shown: [] };
  return await threads.compareTexts({ from: before, to: after });
}

function presentDiff(
  from: ComparedRevision,
  to: ComparedRevision,
  text: TextDiff | null,
  files: readonly PairOfFiles[],
) {
  return {
    from: presentSide(from),
    to: presentSide(to),
    same: from.checksum === to.checksum,
    body: text && {
      patch: writePatch(from, to, text.hunks),
      lines_added: text.linesAdded,
      lines_removed: text.linesRemoved,
    },
    payload_patch: patchJson(withoutText(from.payload), withoutText(to.payload)),
    files: files.map(presentPair),
    disclosure: presentDisclosures(from, to),
  };
}

/** What the agent says on both sides of how they were made; null where that is the same. */
function presentDisclosures(from: ComparedRevision, to: ComparedRevision) {
  const [before, after] = [from.disclosure, to.disclosure];
  return isDeepStrictEqual(before, after) ? null : { from: before, to: after };
}

function presentSide(revision: ComparedRevision) {
  return presentMembers(revision, "revision_number", "checksum", "published_at");
}

/** Empty for equal texts: programs that apply patches take a head without hunks for garbage. */
function writePatch(from: ComparedRevision, to: ComparedRevision, hunks: string): string {
  if (hunks === "") return "";
  return `--- revision-${from.revision_number}\n+++ revision-${to.revision_number}\n${hunks}`;
}

function withoutText({ body_markdown: _, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}

/** A pair of files with what is known of its rows. */
interface PairOfFiles extends FilePair<FileRow> {
  rows: RowCounts | null;
  diffUrl: string | null;
}

type Side = Pick<RevisionRow, "id" | "creation_id">;

/** The files of two revisions of a creation in pairs, with the counts that it keeps of each. */
async function pairFilesOf(deps: Deps, from: Side, to: Side): Promise<PairOfFiles[]> {
  const [before, after] = await Promise.all([
    listFilesOfRevision(deps.pool, from.id),
    listFilesOfRevision(deps.pool, to.id),
  ]);
  const files = [...before, ...after];
  if (files.length === 0) return [];
  const [kept, open] = await Promise.all([
    listKeptCounts(deps.pool, to.creation_id, [...new Set(files.map((file) => file.read_sha256))]),
    listOpenFilesOf(deps.pool, to.creation_id, [...new Set(files.map((file) => file.asset_id))]),
  ]);
  return pairFiles(before, after).map((pair) => ({
    ...pair,
    rows: findRows(kept, pair, from, to),
    diffUrl: findDiffUrl(deps, pair, new Set(open)),
  }));
}

/** The counts of the very two revisions, else the newest of the same two files, either way round. */
function findRows(
  kept: readonly KeptRow[],
  { from: base, to: head }: FilePair<FileRow>,
  from: Side,
  to: Side,
) {
  if (base === null || head === null) return null;
  if (base.read_sha256 === head.read_sha256) return hasOneTable(head) ? NOTHING_CHANGED : null;
  const isOf = (row: KeptRow, one: FileRow, other: FileRow) =>
    row.base_sha256 === one.read_sha256 && row.head_sha256 === other.read_sha256;
  const there = kept.filter((row) => isOf(row, base, head));
  const back = kept.filter((row) => isOf(row, head, base));
  const ownThere = there.find((row) => row.base_id === from.id && row.revision_id === to.id);
  const ownBack = back.find((row) => row.base_id === to.id && row.revision_id === from.id);
  const forwards = ownThere ?? (ownBack === undefined ? there[0] : undefined);
  if (forwards !== undefined) return readCounts(forwards);
  const backwards = ownBack ?? back[0];
  return backwards === undefined ? null : mirrorCounts(readCounts(backwards));
}

function readCounts({ rows }: KeptRow): RowCounts {
  return RowCounts.parse(JSON.parse(rows));
}

function findDiffUrl({ config }: Deps, { change, from, to }: FilePair<FileRow>, open: ReadonlySet<string>) {
  if (change !== "changed" || from === null || to === null || !areComparable(from, to)) return null;
  if (!open.has(from.asset_id) || !open.has(to.asset_id)) return null;
  return addressesOf(config.siteUrl).fileDiff(from.asset_id, to.asset_id);
}

/** Files of one format with tables. */
export function areComparable(base: FileRow, head: FileRow): boolean {
  return base.format === head.format && countTables(base) > 0 && countTables(head) > 0;
}

/** Whether a file is a table, or a document with one. */
export function hasOneTable(file: FileRow): boolean {
  return countTables(file) === 1;
}

function countTables(file: FileRow): number {
  return readInspection(file)?.kind === "table" ? 1 : readTables(file.tables).length;
}

/** A pair as the JSON has it. */
function presentPair({ change, from, to, rows, diffUrl }: PairOfFiles) {
  return {
    label: (to ?? from)?.label ?? "",
    change,
    from: from && presentFile(from),
    to: to && presentFile(to),
    rows,
    diff_url: diffUrl,
  };
}

function presentFile(file: FileRow) {
  const found = readInspection(file);
  return {
    ...presentMembers(file, "asset_id", "content_sha256", "bytes"),
    row_count: found?.kind === "table" ? found.row_count : null,
  };
}
