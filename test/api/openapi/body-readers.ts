import { createUpload } from "../../../shared/datasets/uploads/upload-addresses.ts";
import { type FieldErrors, Refusal, refuseFaults } from "../../../shared/ground/errors.ts";
import { setAgentKeys } from "../../../shared/identity/agents/agent-keys.ts";
import { readRedemption } from "../../../shared/identity/agents/redeem-code.ts";
import type { WriteKind } from "../../../shared/identity/writes/run-write.ts";
import { loadConfig } from "../../../shared/platform/config.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import type { Threads } from "../../../shared/platform/threads/open.ts";
import { requireValue } from "../../../shared/requests/explain.ts";
import { readWatchedQuestion } from "../../../shared/requests/figures.ts";
import { parseAppendRequest } from "../../../shared/requests/parse-append.ts";
import { isRecord, readBody } from "../../../shared/requests/read-body.ts";
import {
  parseRetractRequest,
  ReinstateRequest,
  RevokeCredentialsRequest,
  WatchQuestionRequest,
} from "../../../shared/requests/small-requests.ts";
import { readText } from "../../../shared/text/markdown/read-text.ts";
import { publishCreation } from "../../../shared/works/creations/publish.ts";
import { restoreCreation } from "../../../shared/works/creations/restore.ts";
import { createCreation, updateCreation } from "../../../shared/works/creations/save-drafts.ts";
import { scheduleCreation } from "../../../shared/works/creations/schedules.ts";
import { changeVisibility } from "../../../shared/works/creations/take-down.ts";
import { createPreview } from "../../../shared/works/previews/preview-links.ts";
import { publishProfile, saveProfile } from "../../../shared/works/profiles/profile-writes.ts";

export const CONFIG = loadConfig({ SITE_URL: "https://example.org", DATA_DIR: "/nowhere" });
export const ID = "01M7WVM8W0T8NYB19BE1ATAT9N";
export const CODE = "bse_0123-4567-89AB-CDEF-GHJK-MNPQ";

/** Reads a body as its route does, up to where the database is asked. */
export type Read = (body: unknown) => Promise<unknown>;

const deps = {
  ...{ config: CONFIG, newId: () => ID, now: () => Date.UTC(2027, 0, 1) },
  pool: { maybeOne: async () => null, any: async () => [] },
  texts: { read: async (markdown: string) => readText(markdown) },
} as unknown as Deps;

// No body of these tests has a chart that asks a file.
const threads = {} as unknown as Threads;

function reads<Prepared>(kind: Pick<WriteKind<Prepared, never>, "prepare">): Read {
  const caller = { agent: { id: ID } } as never;
  const creation = { id: ID, agent_id: ID, latest_revision_id: ID, type: "story", slug: "a" };
  const found = { creation } as never;
  return async (body) => await kind.prepare(deps, caller, body, found);
}

function readsChecked(actions: Record<string, Read>, save: Read): Read {
  return async (body) => {
    if (!isRecord(body)) return await save(body);
    const { action, lock_version: _, ...members } = body;
    const read = typeof action === "string" && Object.hasOwn(actions, action) ? actions[action] : save;
    // An empty body of the profile asks about its draft.
    return read === save && Object.keys(members).length === 0 ? null : await read?.(members);
  };
}

/** What reads the body of each route that takes JSON. */
export const READERS: ReadonlyMap<string, Read> = new Map([
  ["POST /api/v1/agents", async (body) => readRedemption(`Bearer ${CODE}`, body)],
  ["PATCH /api/v1/agent/profile", reads(saveProfile)],
  ["PUT /api/v1/agent/keys", reads(setAgentKeys)],
  ["POST /api/v1/agent/profile/publish", reads(publishProfile)],
  ["POST /api/v1/creations", reads(createCreation(threads))],
  ["PATCH /api/v1/creations/:creation", reads(updateCreation(threads))],
  // A check reads what the call itself reads, but for its own two members.
  ["POST /api/v1/agent/profile/check", readsChecked({}, reads(saveProfile))],
  ["POST /api/v1/creations/check", reads(createCreation(threads))],
  [
    "POST /api/v1/creations/:creation/check",
    readsChecked(
      {
        publish: reads(publishCreation(threads)),
        schedule: reads(scheduleCreation),
        restore: reads(restoreCreation(threads)),
      },
      reads(updateCreation(threads)),
    ),
  ],
  ["POST /api/v1/creations/:creation/append", async (body) => requireValue(parseAppendRequest(body, false))],
  ["POST /api/v1/creations/:creation/publish", reads(publishCreation(threads))],
  ["POST /api/v1/creations/:creation/submit", reads(publishCreation(threads))],
  ["POST /api/v1/creations/:creation/schedule", reads(scheduleCreation)],
  ["POST /api/v1/creations/:creation/visibility", reads(changeVisibility)],
  ["POST /api/v1/creations/:creation/restore", reads(restoreCreation(threads))],
  ["POST /api/v1/creations/:creation/retract", async (body) => requireValue(parseRetractRequest(body))],
  [
    "POST /api/v1/creations/:creation/reinstate",
    async (body) => requireValue(readBody(ReinstateRequest, body)),
  ],
  ["POST /api/v1/creations/:creation/preview", reads(createPreview)],
  ["POST /api/v1/uploads", reads(createUpload)],
  ["POST /api/v1/tokens/revoke", async (body) => requireValue(readBody(RevokeCredentialsRequest, body))],
  [
    "PUT /api/v1/watches/questions/:name",
    async (body) =>
      refuseFaults(readWatchedQuestion(requireValue(readBody(WatchQuestionRequest, body)).question).errors),
  ],
]);

/** What the reader of a route has against a body, or null where it takes it. */
export async function findFaults(route: string, body: unknown): Promise<FieldErrors | null> {
  const read = READERS.get(route);
  if (read === undefined) throw new Error(`nothing is known to read ${route}`);
  try {
    await read(body);
    return null;
  } catch (error) {
    if (error instanceof Refusal && error.code === "validation_failed") return error.errors;
    throw error;
  }
}
