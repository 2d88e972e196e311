import { lockAgent } from "../../../sql/identity/agents.ts";
import {
  countOpenPreviewsOf,
  endPreview,
  endPreviewsOfAgent,
  endPreviewsOfCreation,
  findPreviewsOff,
  listOpenPreviews,
  updatePreviewsOff,
} from "../../../sql/works/previews.ts";
import { notFound } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { toIso } from "../../ground/times.ts";
import { type Actor, recordAct } from "../../identity/audit/record-act.ts";
import type { Deps } from "../../platform/deps.ts";
import type { OwnersWork } from "../present-to-owner.ts";

/** The open links of a work, without their addresses, which only its agent was told. */
export async function listPreviewsOfWork(deps: Deps, creationId: string) {
  const rows = await listOpenPreviews(deps.pool, creationId, deps.now());
  return rows.map((row) => ({
    id: row.id,
    revision_number: row.revision_number,
    made_at: toIso(row.created_at),
    expires_at: toIso(row.expires_at),
  }));
}

/** Whether an agent may make links, and how many of its links are open. */
export async function presentPreviewsOfAgent(deps: Deps, agentId: string) {
  const [offMs, open] = await Promise.all([
    findPreviewsOff(deps.pool, agentId),
    countOpenPreviewsOf(deps.pool, agentId, deps.now()),
  ]);
  return { allowed: offMs === null, open };
}

/** Ends one open link of a work, or all of them where no id is given; one that ended already stays so. */
export async function endPreviewsOfWork(
  deps: Deps,
  actor: Actor,
  { creation }: OwnersWork,
  id: string | null,
): Promise<void> {
  const { id: creationId, agent_id: agentId } = creation;
  const ulid = id === null ? null : toUlid(id);
  if (id !== null && ulid === null) throw notFound("preview");
  await deps.pool.transaction(async (tx) => {
    const nowMs = deps.now();
    const ended =
      ulid === null
        ? await endPreviewsOfCreation(tx, creationId, nowMs)
        : Number(await endPreview(tx, { id: ulid, creationId }, nowMs));
    if (ended === 0) return;
    const act = { action: "creation.end_previews", subjectKind: "creation", subjectId: creationId, agentId };
    await recordAct(tx, actor, { ...act, detail: { ended } }, nowMs);
  });
}

/** Allows an agent preview links, or forbids them and ends those that are open. */
export async function allowPreviews(deps: Deps, actor: Actor, id: string, allowed: boolean) {
  const ulid = toUlid(id);
  return await deps.pool.transaction(async (tx) => {
    const agent = ulid === null ? null : await lockAgent(tx, ulid);
    if (agent === null) throw notFound("agent");
    const nowMs = deps.now();
    const offMs = await findPreviewsOff(tx, agent.id);
    // A repeated command keeps the time of the first.
    await updatePreviewsOff(tx, agent.id, allowed ? null : (offMs ?? nowMs));
    const ended = allowed ? 0 : await endPreviewsOfAgent(tx, agent.id, nowMs);
    const action = allowed ? "agent.allow_previews" : "agent.forbid_previews";
    const act = { action, subjectKind: "agent", subjectId: agent.id, agentId: agent.id };
    await recordAct(tx, actor, { ...act, detail: { ended } }, nowMs);
    return { agent_id: agent.id, previews: allowed ? "on" : "off", ended };
  });
}
