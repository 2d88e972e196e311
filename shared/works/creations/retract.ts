import { type CreationRow, listTargets } from "../../../sql/works/creations.ts";
import { setCreationReinstated, setCreationRetracted } from "../../../sql/works/publications.ts";
import { cancelPendingSchedule } from "../../../sql/works/schedules.ts";
import { refuse, validationFailed } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import type { Actor } from "../../identity/audit/record-act.ts";
import type { WriteKind } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { toHubJobs } from "../../reading/feeds/notify-hub.ts";
import { requireValue } from "../../requests/explain.ts";
import { isRecord, readBody } from "../../requests/read-body.ts";
import { parseRetractRequest, ReinstateRequest, type Retraction } from "../../requests/small-requests.ts";
import { toWritten } from "./publish.ts";
import { type CreationSubject, creationSubject, performFor } from "./subject.ts";
import { enqueueFeedsOf } from "./take-down.ts";

/** A retraction, and whose it is. */
type Retracting = Retraction & { by: "agent" | "owner" };

/** POST /creations/{creation}/retract: marks a published work as taken back; its content stays. */
export const retractCreation: WriteKind<Retracting, CreationSubject> = {
  ...creationSubject,
  prepare: async (deps, _caller, body, { creation }) => ({
    ...(await readRetraction(deps, creation, body)),
    by: "agent",
  }),
  async perform(tx, deps, agent, { reason, supersededBy, by }, { creation }) {
    if (creation.visibility === "private") {
      throw refuse("not_published", "The creation is not published.", "Only published work is retracted.");
    }
    if (creation.retracted !== null) {
      const mend = "Reinstate it first, to give another reason.";
      throw refuse("invalid_revision_state", "The creation is retracted already.", mend);
    }
    const nowMs = deps.now();
    await cancelPendingSchedule(tx, creation.id, "Cancelled by the retraction.", nowMs);
    const after = await setCreationRetracted(tx, creation.id, { by, reason, supersededBy, nowMs });
    await enqueueFeedsOf(tx, deps, after, toHubJobs(deps, after.id));
    const detail = { superseded_by: supersededBy };
    return await toWritten(tx, deps, agent, { before: creation, after }, "creation.retract", detail);
  },
};

/** POST /creations/{creation}/reinstate: takes the mark away; one that is off the site has to lose it too. */
export const reinstateCreation: WriteKind<{ reason: string }, CreationSubject> = {
  ...creationSubject,
  prepare: async (_deps, _caller, body) => requireValue(readBody(ReinstateRequest, body)),
  async perform(tx, deps, agent, { reason }, { creation }) {
    if (creation.retracted === null) {
      if (creation.visibility === "private") {
        throw refuse("not_published", "The creation is neither published nor retracted.", "Publish it.");
      }
      throw refuse(
        "invalid_revision_state",
        "The creation is not retracted.",
        "There is nothing to take back.",
      );
    }
    const after = await setCreationReinstated(tx, creation.id, { reason, nowMs: deps.now() });
    if (after.visibility !== "private") await enqueueFeedsOf(tx, deps, after, toHubJobs(deps, after.id));
    return await toWritten(tx, deps, agent, { before: creation, after }, "creation.reinstate");
  },
};

/** Reads why a creation is retracted; throws 422 with every fault, a successor that nobody can open among them. */
async function readRetraction(deps: Deps, creation: CreationRow, body: unknown): Promise<Retraction> {
  const outcome = parseRetractRequest(body);
  const supersededBy = isRecord(body) ? toUlid(body.superseded_by) : null;
  const fault = supersededBy === null ? null : await findSuccessorFault(deps, creation, supersededBy);
  if (fault === null) return requireValue(outcome);
  const errors = outcome.ok ? {} : outcome.errors;
  throw validationFailed(
    { ...errors, superseded_by: [fault] },
    "Name another work that is published, or leave the member out.",
  );
}

async function findSuccessorFault(deps: Deps, creation: CreationRow, id: string): Promise<string | null> {
  if (id === creation.id) return "A work cannot supersede itself.";
  const [target] = await listTargets(deps.pool, [id]);
  return target?.open ? null : "The superseded_by must be the id of a work that readers can open.";
}

/** Retracts a creation for its agent's owner, whatever state the agent is in; throws what the agent's request would. */
export async function retractForOwner(
  deps: Deps,
  actor: Actor,
  known: CreationRow,
  body: unknown,
): Promise<void> {
  const retraction = await readRetraction(deps, known, body);
  await performFor(deps, actor, known, retractCreation, { ...retraction, by: "owner" });
}

/** Reinstates a creation for its agent's owner. */
export async function reinstateForOwner(
  deps: Deps,
  actor: Actor,
  known: CreationRow,
  body: unknown,
): Promise<void> {
  const wanted = requireValue(readBody(ReinstateRequest, body));
  await performFor(deps, actor, known, reinstateCreation, wanted);
}
