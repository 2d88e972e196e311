import type { Tx } from "../../../sql/connection/pool.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import {
  endPreviewsOfCreation,
  findPreviewsOff,
  insertPreview,
  listOpenPreviews,
} from "../../../sql/works/previews.ts";
import { findRevisionOf, type RevisionRow } from "../../../sql/works/revisions.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { refuse, validationFailed } from "../../ground/errors.ts";
import { HOUR_MS, toIso } from "../../ground/times.ts";
import { readKey } from "../../identity/credentials/key-files.ts";
import type { Answer } from "../../identity/writes/idempotency.ts";
import type { WriteKind } from "../../identity/writes/run-write.ts";
import type { Deps } from "../../platform/deps.ts";
import { requireValue } from "../../requests/explain.ts";
import { DEFAULT_PAYLOAD_OPTIONS } from "../../requests/options.ts";
import { parseEmptyRequest } from "../../requests/parse-publishing.ts";
import { DEFAULT_PREVIEW_HOURS, parsePreviewRequest } from "../../requests/preview.ts";
import { type CreationSubject, creationSubject } from "../creations/subject.ts";
import { writePreviewSecret } from "./preview-secret.ts";

/** How many links of one work may be open. */
export const MOST_OPEN_PREVIEWS = 5;

interface Prepared {
  id: string;
  revisionId: string | null;
  hours: number;
}

/** POST /creations/{creation}/preview: a link that shows a revision to whoever has it, for some hours. */
export const createPreview: WriteKind<Prepared, CreationSubject> = {
  ...creationSubject,
  keyed: "always",
  versioned: false,
  minimize: (data) => data,
  async prepare(deps, _caller, body) {
    const { revision_id: revisionId = null, hours } = requireValue(parsePreviewRequest(body));
    return { id: deps.newId(), revisionId, hours: hours ?? DEFAULT_PREVIEW_HOURS };
  },
  async perform(tx, deps, agent, { id, revisionId, hours }, { creation }) {
    const nowMs = deps.now();
    const revision = await findShowable(tx, agent, creation, revisionId);
    if ((await listOpenPreviews(tx, creation.id, nowMs)).length >= MOST_OPEN_PREVIEWS) throw tooManyOpen();
    const expiresMs = nowMs + hours * HOUR_MS;
    const link = { id, agentId: agent.id, creationId: creation.id, revisionId: revision.id };
    await insertPreview(tx, { ...link, nowMs, expiresMs });
    const expires = toIso(expiresMs);
    const detail = { revision_number: revision.revision_number, expires_at: expires };
    const act = { ...actOn(creation, "creation.preview"), detail };
    const data = { id, revision_id: revision.id, expires_at: expires };
    return { status: 201, lockVersion: null, data, act };
  },
  complete: revealLink,
};

/** DELETE /creations/{creation}/preview: ends every link of a work. */
export const endPreviews: WriteKind<object, CreationSubject> = {
  ...creationSubject,
  keyed: "where_sent",
  versioned: false,
  prepare: async (_deps, _caller, body) => requireValue(parseEmptyRequest(body, DEFAULT_PAYLOAD_OPTIONS)),
  async perform(tx, deps, _agent, _body, { creation }) {
    const ended = await endPreviewsOfCreation(tx, creation.id, deps.now());
    return {
      ...{ status: 204, lockVersion: null },
      act: { ...actOn(creation, "creation.end_previews"), detail: { ended } },
    };
  },
};

function actOn({ id, agent_id: agentId }: CreationRow, action: string) {
  return { action, subjectKind: "creation", subjectId: id, agentId };
}

/** The revision that a link is for: it must be of this work, and still have its content. */
async function findShowable(
  tx: Tx,
  agent: AgentRow,
  creation: CreationRow,
  revisionId: string | null,
): Promise<RevisionRow> {
  const revision = await findRevisionOf(tx, creation.id, revisionId ?? creation.latest_revision_id);
  if (revision === null) {
    throw validationFailed({
      revision_id: [
        "The revision_id is no revision of this creation. Leave it out for the latest one, or take an id of GET /creations/{creation}/revisions.",
      ],
    });
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

function tooManyOpen() {
  return refuse(
    "quota_exhausted",
    `${MOST_OPEN_PREVIEWS} preview links of this creation are open, the most at one time.`,
    "End them with DELETE /creations/{creation}/preview, or wait until one expires.",
  );
}
