import type { Db } from "../../../sql/connection/pool.ts";
import { readInSnapshot } from "../../../sql/connection/read-in-snapshot.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import { findRevisionOf, listRevisionsOf, type RevisionRow } from "../../../sql/works/revisions.ts";
import type { RenderContext } from "../../datasets/drawings/render-body.ts";
import { noRevision } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import type { Deps } from "../../platform/deps.ts";
import {
  compareRevisions,
  type RevisionDiff,
  requireContent,
} from "../../reading/comparisons/compare-revisions.ts";
import { presentOpenReferences } from "../../reading/relations.ts";
import { presentFilesOf, presentRevision } from "./present-creation.ts";
import { findCreationOf } from "./subject.ts";

/** One page of a creation's revision summaries, newest first, with their total. */
export async function listRevisions(
  deps: Deps,
  agent: AgentRow,
  id: string | undefined,
  part: { limit: number; offset: number },
) {
  return await readInSnapshot(deps.pool, async (pool) => {
    const creation = await findCreationOf({ pool }, agent, id);
    const rows = await listRevisionsOf(pool, creation.id, part);
    const items = rows.map((row) => presentRevision(deps, agent, creation, row));
    return { items, total: rows[0]?.total ?? creation.latest_revision_number };
  });
}

/**
 * One revision by its ULID or number, with content, files and the references that readers can open, and the version of
 * its creation; throws `not_found` for one of another creation.
 */
export async function getRevision(
  deps: Deps,
  agent: AgentRow,
  id: string | undefined,
  key: string | undefined,
) {
  return await readInSnapshot(deps.pool, async (pool) => {
    const creation = await findCreationOf({ pool }, agent, id);
    const row = await findOwnRevision(pool, creation, key);
    const revision = {
      ...presentRevision(deps, agent, creation, row),
      type: creation.type,
      payload: row.payload,
      files: await presentFilesOf(deps, pool, row.id),
      references: await presentOpenReferences(deps, pool, row.id),
    };
    return { revision, lockVersion: creation.lock_version };
  });
}

/** A revision of a creation by its ULID or number; throws `not_found` for one of another creation. */
async function findOwnRevision(db: Db, creation: CreationRow, key: string | undefined): Promise<RevisionRow> {
  const number = /^[1-9]\d{0,5}$/.test(key ?? "") ? Number(key) : null;
  const found = number ?? toUlid(key);
  const revision = found === null ? null : await findRevisionOf(db, creation.id, found);
  if (revision === null) throw noRevision("revision", creation.latest_revision_number);
  return revision;
}

/** What changed between two revisions of an agent's own creation, drafts too, by their ids or numbers. */
export async function getOwnDiff(
  context: Pick<RenderContext, "deps" | "threads">,
  creation: CreationRow,
  keys: { from: string | undefined; to: string | undefined },
): Promise<RevisionDiff["data"]> {
  const [from, to] = await Promise.all([
    findOwnRevision(context.deps.pool, creation, keys.from),
    findOwnRevision(context.deps.pool, creation, keys.to),
  ]);
  return (await compareRevisions(context, requireContent(from), requireContent(to))).data;
}
