import type { Tx } from "../../../sql/connection/pool.ts";
import { type AgentRow, lockAgent, updateAgentState } from "../../../sql/identity/agents.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import {
  countOpenPreviewsOf,
  endPreviewsOf,
  findPreviewsOff,
  insertPreview,
  listOpenPreviews,
} from "../../../sql/works/previews.ts";
import { findRevisionOf, type RevisionRow } from "../../../sql/works/revisions.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { getById, notFound, refuse, refuseField } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { HOUR_MS, toIso } from "../../ground/times.ts";
import { type Actor, recordAct } from "../../identity/audit/record-act.ts";
import { readKey } from "../../identity/credentials/key-files.ts";
import type { Answer } from "../../identity/writes/idempotency.ts";
import type { WriteKind } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { requireValue } from "../../requests/explain.ts";
import { readBody } from "../../requests/read-body.ts";
import { DEFAULT_PREVIEW_HOURS, PreviewRequest } from "../../requests/small-requests.ts";
import { actOn } from "../creations/publish.ts";
import { type CreationSubject, creationSubject, takesNothing } from "../creations/subject.ts";
import type { OwnersWork } from "../present-to-owner.ts";
import { writePreviewSecret } from "./open-preview.ts";

/** How many links of one work may be open. */
const MOST_OPEN_PREVIEWS = 5;

interface Prepared {
  id: string;
  revisionId: string | null;
  hours: number;
}

/** POST /creations/{creation}/preview: a link that shows a revision to anybody who has it, for some hours. */
export const createPreview: WriteKind<Prepared, CreationSubject> = {
  ...creationSubject,
  versioned: false,
  minimize: (data) => data,
  async prepare(deps, _caller, body) {
    const { revision_id: revisionId = null, hours } = requireValue(readBody(PreviewRequest, body));
    return { id: deps.newId(), revisionId, hours: hours ?? DEFAULT_PREVIEW_HOURS };
  },
  async perform(tx, deps, agent, { id, revisionId, hours }, { creation }) {
    const nowMs = deps.now();
    const revision = await findShowable(tx, agent, creation, revisionId);
    if ((await listOpenPreviews(tx, creation.id, nowMs)).length >= MOST_OPEN_PREVIEWS) {
      throw refuse(
        "quota_exhausted",
        `${MOST_OPEN_PREVIEWS} preview links of this creation are open, the most at one time.`,
        "End them with DELETE /creations/{creation}/preview, or wait until one expires.",
      );
    }
    const expiresMs = nowMs + hours * HOUR_MS;
    const link = { id, agent_id: agent.id, creation_id: creation.id, revision_id: revision.id };
    await insertPreview(tx, { ...link, created_at: nowMs, expires_at: expiresMs });
    const expires = toIso(expiresMs);
    const detail = { revision_number: revision.revision_number, expires_at: expires };
    const data = { id, revision_id: revision.id, expires_at: expires };
    return { status: 201, lockVersion: null, data, act: actOn(creation, "creation.preview", detail) };
  },
  complete: revealLink,
};

/** DELETE /creations/{creation}/preview: ends every link of a work. */
export const endPreviews: WriteKind<object, CreationSubject> = {
  ...creationSubject,
  ...takesNothing,
  keyed: "where_sent",
  versioned: false,
  async perform(tx, deps, _agent, _body, { creation }) {
    const ended = await endPreviewsOf(tx, { creationId: creation.id }, deps.now());
    return { status: 204, lockVersion: null, act: actOn(creation, "creation.end_previews", { ended }) };
  },
};

/** The revision that a link is for: it must be of this work, and still have its content. */
async function findShowable(
  tx: Tx,
  agent: AgentRow,
  creation: CreationRow,
  revisionId: string | null,
): Promise<RevisionRow> {
  const revision = await findRevisionOf(tx, creation.id, revisionId ?? creation.latest_revision_id);
  if (revision === null) {
    throw refuseField(
      "revision_id",
      "The revision_id is no revision of this creation. Leave it out for the latest one.",
    );
  }
  if ((await findPreviewsOff(tx, agent.id)) !== null) {
    throw refuse(
      "forbidden",
      "Your owner forbids you preview links.",
      "Ask your owner, who can allow them on your page in the console.",
    );
  }
  if (revision.payload === null) {
    throw refuse(
      "revision_content_removed",
      "The content of this revision was removed.",
      "Save a new revision, and make a link to it.",
    );
  }
  return revision;
}

/** The answer as it is sent. The stored one has no secret: the address is made again from the row's id. */
async function revealLink(deps: Deps, answer: Answer): Promise<Answer> {
  const { id, revision_id, expires_at } = JSON.parse(answer.body).data;
  const secret = writePreviewSecret(await readKey(deps.config, "preview"), id);
  const preview_url = addressesOf(deps.config.siteUrl).preview(secret);
  return { ...answer, body: JSON.stringify({ data: { preview_url, revision_id, expires_at } }) };
}

/** The open links of a work, without their addresses, which only its agent has. */
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
  const creationId = creation.id;
  const ulid = id === null ? null : toUlid(id);
  if (id !== null && ulid === null) throw notFound("preview");
  await deps.pool.transaction(async (tx) => {
    const nowMs = deps.now();
    const ended = await endPreviewsOf(tx, ulid === null ? { creationId } : { creationId, id: ulid }, nowMs);
    if (ended === 0) return;
    await recordAct(tx, actor, actOn(creation, "creation.end_previews", { ended }), nowMs);
  });
}

/** Allows an agent preview links, or forbids them and ends those that are open. */
export async function allowPreviews(deps: Deps, actor: Actor, id: string, allowed: boolean) {
  return await deps.pool.transaction(async (tx) => {
    const agent = await getById("agent", id, (ulid) => lockAgent(tx, ulid));
    const nowMs = deps.now();
    const offMs = await findPreviewsOff(tx, agent.id);
    // A repeated command keeps the time of the first.
    await updateAgentState(tx, agent.id, "previews_off_at", allowed ? null : (offMs ?? nowMs));
    const ended = allowed ? 0 : await endPreviewsOf(tx, { agentId: agent.id }, nowMs);
    const action = allowed ? "agent.allow_previews" : "agent.forbid_previews";
    const act = { action, subjectKind: "agent", subjectId: agent.id, agentId: agent.id };
    await recordAct(tx, actor, { ...act, detail: { ended } }, nowMs);
    return { agent_id: agent.id, previews: allowed ? "on" : "off", ended };
  });
}
