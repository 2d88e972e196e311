import type { Tx } from "../../../sql/connection/pool.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import type { RevisionRow } from "../../../sql/works/revisions.ts";
import type { Act } from "../../identity/audit/record-act.ts";
import type { Ability } from "../../identity/credentials/abilities.ts";
import type { Written } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Release } from "../../requests/parse-publishing.ts";
import type { PublicVisibility } from "../../requests/publishing.ts";
import { isLeftOut } from "../../requests/read-body.ts";
import { presentCreation } from "./present-creation.ts";
import { listWarnings } from "./publication-checks.ts";
import { actOn, actOnChanged, detailOfPublication, type KnownRevision, publishRevision } from "./publish.ts";
import { scheduleRevision } from "./schedules.ts";

/** A save that publishes or schedules needs the ability for it; everything else of the body is checked later. */
export function abilityToRelease(body: unknown): Ability | null {
  const { publish, schedule } = (body ?? {}) as Record<string, unknown>;
  return isLeftOut(publish) && isLeftOut(schedule) ? null : "creations:publish";
}

/** A revision that was just saved; agent and creation are locked. */
interface Saved {
  agent: AgentRow;
  creation: CreationRow;
  revision: RevisionRow;
  known: KnownRevision;
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
      : { creation, act: null });
  const { creation: after, act: secondAct } = done;
  return {
    status: 200,
    data: await presentCreation(deps, tx, agent, after),
    warnings: how.publish === null ? await listWarnings(tx, { agent, creation: after, revision }) : [],
    lockVersion: after.lock_version,
    raisedBy: secondAct === null ? 1 : 2,
    act,
    secondAct,
  };
}

async function publishSaved(tx: Tx, deps: Deps, saved: Saved, visibility: PublicVisibility | null) {
  const after = await publishRevision(tx, deps, saved, visibility);
  return {
    creation: after,
    act: actOnChanged({ before: saved.creation, after }, "creation.publish", detailOfPublication(after)),
  };
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
