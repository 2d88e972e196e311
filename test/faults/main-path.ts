import { setTimeout as delay } from "node:timers/promises";
import { z } from "zod";
import { confirmClaim } from "../../shared/identity/agents/claims.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { ABILITIES } from "../../shared/identity/credentials/abilities.ts";
import {
  hashSecret,
  makeEnrollmentCode,
  normalizeEnrollmentCode,
} from "../../shared/identity/credentials/tokens.ts";
import { sql } from "../../sql/connection/pool.ts";
import { insertEnrollment } from "../../sql/identity/enrollments.ts";
import type { Json } from "../support/agent.ts";
import { formOf } from "../support/http-agent.ts";
import {
  ANSWERED_WITHIN_MS,
  insist,
  insistKeyed,
  type Player,
  repeat,
  TRY_AGAIN_AFTER_MS,
  untilDone,
} from "./insist.ts";

const ROOT = "/api/v1";

/** What the agent made. */
export interface Made {
  token: string;
  agentId: string;
  assetId: string;
  dataset: Json;
  story: Json;
}

/** Enrols, publishes a front page, uploads, and publishes a dataset and a story; each call is repeated until answered. */
export async function playMainPath(player: Player): Promise<Made> {
  const { token, agentId } = await enrol(player);
  await publishFrontPage(player, token);
  const assetId = await upload(player, token);
  const dataset = await publishCreation(player, token, "dataset", {
    title: `Readings of ${player.handle}`,
    attachments: [{ asset_id: assetId, label: "Hourly" }],
  });
  const story = await publishCreation(player, token, "story", {
    title: `Surge of ${player.handle}`,
    body_markdown: "# Surge\n\nThe gauge rose 1.2 m.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n",
    references: [{ creation_id: dataset.id, relation: "uses" }],
  });
  return { token, agentId, assetId, dataset, story };
}

/** Without a key an answer can be lost for good: then the owner issues a code for the agent that waits. */
async function enrol(player: Player): Promise<{ token: string; agentId: string }> {
  let code = player.code;
  for (;;) {
    const body = { enrollment_code: code, handle: player.handle, display_name: "Tide Watch" };
    const reply = await repeat(player, { method: "POST", path: `${ROOT}/agents`, body });
    if (reply.status === 201) {
      const { agent, token } = reply.json.data;
      await untilDone(() => confirmClaim(player.deps, COMMAND_LINE, agent.id));
      return { token, agentId: agent.id };
    }
    if (reply.json?.code !== "enrollment_consumed") throw new Error(`enrolment answered ${reply.text}`);
    code = await untilDone(() => issueAnew(player));
  }
}

/** A code for the agent that waits under this handle, as its owner has it issued; it replaces the agent's tokens. */
export async function issueAnew({
  deps,
  ownerId,
  handle,
}: Pick<Player, "deps" | "ownerId" | "handle">): Promise<string> {
  const code = makeEnrollmentCode();
  const agentId = await deps.pool.oneFirst(
    sql.type(z.strictObject({ id: z.string() }))`SELECT id FROM agents WHERE handle = ${handle}`,
  );
  await deps.pool.transaction((tx) =>
    insertEnrollment(tx, {
      id: deps.newId(),
      owner_id: ownerId,
      code_hash: hashSecret(normalizeEnrollmentCode(code) ?? ""),
      handle: null,
      abilities: [...ABILITIES],
      agent_id: agentId,
      created_at: deps.now(),
      expires_at: deps.now() + 3_600_000,
    }),
  );
  return code;
}

async function publishFrontPage(player: Player, token: string): Promise<void> {
  const { draft, lock_version: ifMatch } = await saveFrontPage(player, token);
  const body = { revision_id: draft.revision_id };
  await insistKeyed(player, { token, path: `${ROOT}/agent/profile/publish`, body, ifMatch }, 200);
}

/** Saving a profile takes no key: whoever got no answer looks whether it was saved. */
async function saveFrontPage(player: Player, token: string): Promise<Json> {
  const path = `${ROOT}/agent/profile`;
  const body = { display_name: `Tide Watch ${player.handle}` };
  for (;;) {
    const now = (await insist(player, { path, token }, 200)).json.data;
    if (now.draft?.revision_id) return now;
    const saved = await repeat(player, { method: "PATCH", path, token, body, ifMatch: now.lock_version });
    if (saved.status === 200) return saved.json.data;
    if (saved.status !== 412) throw new Error(`saving the profile answered ${saved.status}: ${saved.text}`);
  }
}

async function upload(player: Player, token: string): Promise<string> {
  const path = `${ROOT}/assets`;
  const body = formOf("readings.csv", `station,height_m\n${player.handle},4.12\nHusum,\n`);
  const { id } = (await insistKeyed(player, { token, path, body }, 201)).json.data;
  const deadline = performance.now() + ANSWERED_WITHIN_MS;
  for (;;) {
    const asset = (await insist(player, { path: `${path}/${id}`, token }, 200)).json.data;
    if (asset.readiness === "ready") return id;
    if (asset.readiness === "failed" || performance.now() > deadline) {
      throw new Error(`the upload is ${asset.readiness}: ${asset.readiness_reason}`);
    }
    await delay(TRY_AGAIN_AFTER_MS);
  }
}

/** Saves and publishes; gives the creation as it was saved. */
export async function publishCreation(
  player: Player,
  token: string,
  type: string,
  payload: object,
): Promise<Json> {
  const path = `${ROOT}/creations`;
  const creation = (await insistKeyed(player, { token, path, body: { type, payload } }, 201)).json.data;
  const { id, lock_version: ifMatch, latest_revision: revision } = creation;
  const body = { revision_id: revision.id };
  await insistKeyed(player, { token, path: `${path}/${id}/publish`, body, ifMatch }, 200);
  return creation;
}
