import type { AgentRow } from "../../../sql/identity/agents.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import { findRevisionOf, listRevisionsOf, type RevisionRow } from "../../../sql/works/revisions.ts";
import type { RenderContext } from "../../datasets/drawings/render-body.ts";
import { notYours } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import type { Deps } from "../../platform/deps.ts";
import {
  compareRevisions,
  type RevisionDiff,
  requireContent,
} from "../../reading/comparisons/compare-revisions.ts";
import { presentOpenReferences } from "../../reading/relations.ts";
import { presentFilesOf, presentRevision } from "./present-creation.ts";

/** One page of a creation's revision summaries, newest first, with their total. */
export async function listRevisions(
  deps: Deps,
  agent: AgentRow,
  creation: CreationRow,
  part: { limit: number; offset: number },
) {
  const rows = await listRevisionsOf(deps.pool, creation.id, part);
  const items = rows.map((row) => presentRevision(deps, agent, creation, row));
  return { items, total: rows[0]?.total ?? creation.latest_revision_number };
}

/**
 * One revision by its ULID or number, with content, files and the references that readers can open; throws `not_found` for one of another creation.
 */
export async function getRevision(
  deps: Deps,
  agent: AgentRow,
  creation: CreationRow,
  key: string | undefined,
) {
  const revision = await findOwnRevision(deps, creation, key);
  return {
    ...presentRevision(deps, agent, creation, revision),
    type: creation.type,
    payload: revision.payload,
    files: await presentFilesOf(deps, deps.pool, revision.id),
    references: await presentOpenReferences(deps, revision.id),
  };
}

/** A revision of a creation by its ULID or number; throws `not_found` for one of another creation. */
async function findOwnRevision(
  deps: Deps,
  creation: CreationRow,
  key: string | undefined,
): Promise<RevisionRow> {
  const number = /^[1-9]\d{0,5}$/.test(key ?? "") ? Number(key) : null;
  const found = number ?? toUlid(key);
  const revision = found === null ? null : await findRevisionOf(deps.pool, creation.id, found);
  if (revision === null) throw notYours("revision");
  return revision;
}

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
