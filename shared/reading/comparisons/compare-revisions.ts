import type { RevisionRow } from "../../../sql/works/revisions.ts";
import type { RenderContext } from "../../datasets/render-context.ts";
import { refuse } from "../../ground/errors.ts";
import { toIsoOrNull } from "../../ground/times.ts";
import type { ShownHunk, TextDiff } from "../../tables/differences/diff-texts.ts";
import { isEqual, patchJson } from "../../tables/differences/patch-json.ts";
import { type PairOfFiles, pairFilesOf, presentPair } from "./pairs-of-files.ts";

/** A revision whose content is there. */
export type ComparedRevision = RevisionRow & { payload: Record<string, unknown> };

/** What changed between two revisions: as the JSON tells it, and the hunks of the text as a page shows them. */
export interface RevisionDiff {
  data: ReturnType<typeof presentDiff>;
  shown: ShownHunk[];
}

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
): Promise<RevisionDiff> {
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
  return isEqual(before, after) ? null : { from: before, to: after };
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
