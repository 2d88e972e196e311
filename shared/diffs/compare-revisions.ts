import { type FileRow, listFilesOfRevision } from "../../sql/revision-files.ts";
import type { RevisionRow } from "../../sql/revisions.ts";
import { addressesOf } from "../addresses.ts";
import type { ShownHunk, TextDiff } from "../core/diff/diff-texts.ts";
import { type FilePair, pairFiles } from "../core/diff/pair-files.ts";
import { patchJson } from "../core/diff/patch-json.ts";
import type { Inspection } from "../core/inspect/verdict.ts";
import type { Deps } from "../deps.ts";
import { refuse } from "../errors.ts";
import type { RenderContext } from "../render-context.ts";
import { toIsoOrNull } from "../times.ts";

/** A revision whose content is there. */
export type ComparedRevision = RevisionRow & { payload: Record<string, unknown> };

/** What changed between two revisions: as the JSON tells it, and the hunks of the text as a page shows them. */
export interface RevisionDiff {
  data: ReturnType<typeof presentDiff>;
  shown: ShownHunk[];
}

type Context = Pick<RenderContext, "deps" | "threads">;
/** Which of these files readers may fetch, by their ids; a comparison of one's own works names every file that stands. */
export type FindOpen = (ids: readonly string[]) => Promise<ReadonlySet<string>>;

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
  findOpen: FindOpen | null = null,
): Promise<RevisionDiff> {
  const [text, files] = await Promise.all([compareBodies(threads, from, to), pairFilesOf(deps, from, to)]);
  const diffUrlOf = await findDiffUrls(deps, files, findOpen);
  return { data: presentDiff(from, to, text, files, diffUrlOf), shown: text?.shown ?? [] };
}

type DiffUrlOf = (pair: FilePair<FileRow>) => string | null;

/** Where changed tables are compared: of one format, while both files stand and whoever asks may fetch them. */
async function findDiffUrls(
  { config }: Deps,
  pairs: readonly FilePair<FileRow>[],
  findOpen: FindOpen | null,
): Promise<DiffUrlOf> {
  const standing = pairs.flatMap(({ change, from, to }) =>
    change === "changed" && from?.format === to?.format && isStandingTable(from) && isStandingTable(to)
      ? [from.asset_id, to.asset_id]
      : [],
  );
  const open = standing.length === 0 || findOpen === null ? new Set(standing) : await findOpen(standing);
  const { fileDiff } = addressesOf(config.siteUrl);
  return ({ change, from, to }) => {
    if (change !== "changed" || from === null || to === null) return null;
    return open.has(from.asset_id) && open.has(to.asset_id) ? fileDiff(from.asset_id, to.asset_id) : null;
  };
}

function isStandingTable(file: FileRow | null): file is FileRow {
  if (file === null || file.file_deleted_at !== null) return false;
  const found = file.inspection === null ? null : (JSON.parse(file.inspection) as Inspection);
  return found?.kind === "table" || (found?.kind === "document" && found.tables.length > 0);
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

async function pairFilesOf(deps: Deps, from: ComparedRevision, to: ComparedRevision) {
  const [before, after] = await Promise.all([
    listFilesOfRevision(deps.pool, from.id),
    listFilesOfRevision(deps.pool, to.id),
  ]);
  return pairFiles(before, after);
}

function presentDiff(
  from: ComparedRevision,
  to: ComparedRevision,
  text: TextDiff | null,
  files: readonly FilePair<FileRow>[],
  diffUrlOf: DiffUrlOf,
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
    files: files.map((pair) => presentPair(pair, diffUrlOf(pair))),
  };
}

function presentSide(revision: ComparedRevision) {
  return {
    revision_number: revision.revision_number,
    checksum: revision.checksum,
    published_at: toIsoOrNull(revision.published_at),
  };
}

/** Empty for equal texts: programs that apply patches take a head without hunks for garbage. */
function writePatch(from: ComparedRevision, to: ComparedRevision, hunks: string): string {
  if (hunks === "") return "";
  return `--- revision-${from.revision_number}\n+++ revision-${to.revision_number}\n${hunks}`;
}

function withoutText({ body_markdown: _, ...rest }: Record<string, unknown>): Record<string, unknown> {
  return rest;
}

function presentPair({ change, from, to }: FilePair<FileRow>, diffUrl: string | null) {
  return {
    label: (to ?? from)?.label ?? "",
    change,
    from: from && presentFile(from),
    to: to && presentFile(to),
    rows: null,
    diff_url: diffUrl,
  };
}

function presentFile(file: FileRow) {
  const found = file.inspection === null ? null : (JSON.parse(file.inspection) as Inspection);
  return {
    asset_id: file.asset_id,
    content_sha256: file.content_sha256,
    bytes: file.bytes,
    row_count: found?.kind === "table" ? found.row_count : null,
  };
}
