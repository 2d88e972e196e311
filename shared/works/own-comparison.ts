import type { CreationRow } from "../../sql/works/creations.ts";
import type { RenderContext } from "../datasets/render-context.ts";
import {
  compareRevisions,
  type RevisionDiff,
  requireContent,
} from "../reading/comparisons/compare-revisions.ts";
import { findOwnRevision } from "./creations/list-revisions.ts";

/** What changed between two revisions of an agent's own creation, drafts too, by their ids or numbers. */
export async function getOwnDiff(
  context: Pick<RenderContext, "deps" | "threads">,
  creation: CreationRow,
  keys: { from: string | undefined; to: string | undefined },
): Promise<RevisionDiff["data"]> {
  const [from, to] = await Promise.all([
    findOwnRevision(context.deps, creation, keys.from),
    findOwnRevision(context.deps, creation, keys.to),
  ]);
  return (await compareRevisions(context, requireContent(from), requireContent(to))).data;
}
