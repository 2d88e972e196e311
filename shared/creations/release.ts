import type { AgentRow } from "../../sql/agents.ts";
import type { Tx } from "../../sql/connection/pool.ts";
import type { CreationRow } from "../../sql/creations.ts";
import type { PresentedRow } from "../../sql/presented-creations.ts";
import type { RevisionRow } from "../../sql/revisions.ts";
import type { Act } from "../audit/record-act.ts";
import type { Ability } from "../credentials/abilities.ts";
import type { Deps } from "../deps.ts";
import { isLeftOut } from "../payload/lift-envelope.ts";
import type { PublicVisibility, Release } from "../payload/parse.ts";
import type { Written } from "../writes/run-write.ts";
import { listWarnings } from "./gates.ts";
import { presentCreation } from "./present-creation.ts";
import { actOn, actOnChanged, detailOfPublication, publishRevision } from "./publish.ts";
import { scheduleRevision } from "./schedules.ts";

/** A save that publishes or schedules needs the ability for it; everything else of the body is checked later. */
export function abilityToRelease(body: unknown): Ability | null {
  const { publish, schedule } = (body ?? {}) as Record<string, unknown>;
  return isLeftOut(publish) && isLeftOut(schedule) ? null : "creations:publish";
}

/** A revision that was just saved; agent and creation are locked. */
export interface Saved {
  agent: AgentRow;
  creation: CreationRow;
  revision: RevisionRow;
}

/**
 * Publishes or schedules what was just saved where the request asks for it, in the save's transaction: a refusal undoes
 * both. Tells what publishing would still refuse.
 */
export async function release(tx: Tx, deps: Deps, saved: Saved, how: Release, act: Act): Promise<Written> {
  const { agent, creation, revision } = saved;
  const done = await (how.publish !== null
    ? publishSaved(tx, deps, saved, how.publish.visibility)
    : how.schedule !== null
      ? scheduleSaved(tx, deps, saved, how.schedule)
      : null);
  const after = done?.creation ?? creation;
  return {
    status: 200,
    data: await presentCreation(deps, tx, agent, after, knownOf(saved, how)),
    warnings: how.publish === null ? await listWarnings(tx, { agent, creation: after, revision }) : [],
    lockVersion: after.lock_version,
    raisedBy: done === null ? 1 : 2,
    act,
    secondAct: done?.act ?? null,
  };
}

/**
 * The whole of a draft that this transaction made, which nobody else has named, scheduled or published; null where the
 * answer has to be asked for.
 */
function knownOf({ revision }: Saved, { publish, schedule }: Release): PresentedRow | null {
  const isNew = revision.revision_number === 1;
  const isDraft = publish === null && schedule === null;
  const mayHaveFiles = "attachments" in (revision.payload ?? {});
  return isNew && isDraft && !mayHaveFiles
    ? { ...revision, live: null, schedule: null, collections: [], files: [] }
    : null;
}

async function publishSaved(
  tx: Tx,
  deps: Deps,
  { agent, creation, revision }: Saved,
  visibility: PublicVisibility | null,
) {
  const after = await publishRevision(tx, deps, agent, creation, revision, visibility);
  const changed = { before: creation, after };
  return { creation: after, act: actOnChanged(changed, "creation.publish", detailOfPublication(after)) };
}

async function scheduleSaved(
  tx: Tx,
  deps: Deps,
  { agent, creation, revision }: Saved,
  when: NonNullable<Release["schedule"]>,
) {
  const after = await scheduleRevision(tx, deps, agent, creation, revision, when);
  return { creation: after, act: actOn(after, "creation.schedule") };
}
