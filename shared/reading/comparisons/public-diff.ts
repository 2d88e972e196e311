import type { OpenCreationRow } from "../../../sql/reading/open-creations.ts";
import { listedEntriesOf, type RelatedRow, referencesOf } from "../../../sql/reading/relations.ts";
import type { RenderContext } from "../../datasets/drawings/render-body.ts";
import type { Deps } from "../../platform/deps.ts";
import { findPublished } from "../public-revisions.ts";
import { compareRevisions, requireContent } from "./compare-revisions.ts";

/** A revision as readers see it, with the works that it names and that are listed now. */
export type PublicSide = Awaited<ReturnType<typeof findSide>>;

/** What changed between two published revisions, with both as readers see them. */
export type PublicDiff = Awaited<ReturnType<typeof getPublicDiff>>;

/**
 * What changed between two published revisions of an open creation, by their numbers. References and entries that are
 * not listed now are left out of both sides.
 */
export async function getPublicDiff(
  context: Pick<RenderContext, "deps" | "threads">,
  creation: OpenCreationRow,
  numbers: { from: string; to: string },
) {
  const [from, to] = await Promise.all([
    findSide(context.deps, creation, numbers.from),
    findSide(context.deps, creation, numbers.to),
  ]);
  const found = await compareRevisions(context, from.revision, to.revision);
  // What is shown of other works, listed or not, changes without this one.
  return { ...found, from, to, namesWorks: from.namesWorks || to.namesWorks };
}

async function findSide(deps: Deps, creation: OpenCreationRow, number: string) {
  const revision = requireContent(await findPublished(deps, creation, number));
  const [references, entries] = await Promise.all([
    deps.pool.any(referencesOf(revision.id, "listed")),
    deps.pool.any(listedEntriesOf(revision.id)),
  ]);
  const { payload } = revision;
  const seen = { ...revision, payload: keepListed(payload, references, entries) };
  return {
    revision: seen,
    references,
    entries,
    namesWorks: isFilled(payload.references) || isFilled(payload.entries),
  };
}

/** Members that are lists stay, without the works that readers do not see; a list that was not sent stays away. */
function keepListed(
  payload: Record<string, unknown>,
  references: readonly RelatedRow[],
  entries: readonly RelatedRow[],
): Record<string, unknown> {
  const kept = { ...payload };
  if (Array.isArray(payload.references))
    kept.references = payload.references.filter(isAmong(references, idOf));
  if (Array.isArray(payload.entries)) kept.entries = payload.entries.filter(isAmong(entries, (id) => id));
  return kept;
}

function isAmong(rows: readonly RelatedRow[], nameOf: (item: unknown) => unknown) {
  const ids = new Set<unknown>(rows.map(({ id }) => id));
  return (item: unknown) => ids.has(nameOf(item));
}

function idOf(reference: unknown): unknown {
  return (reference as { creation_id?: unknown }).creation_id;
}

function isFilled(list: unknown): boolean {
  return Array.isArray(list) && list.length > 0;
}
