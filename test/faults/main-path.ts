import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { insertEnrollment } from "../../sql/enrollments.ts";
import { ABILITIES } from "../../shared/abilities.ts";
import { COMMAND_LINE } from "../../shared/audit.ts";
import { confirmClaim } from "../../shared/claims.ts";
import type { Deps } from "../../shared/deps.ts";
import { hashSecret, makeEnrollmentCode, normalizeEnrollmentCode } from "../../shared/tokens.ts";
import type { Json } from "../support/agent.ts";
import { formOf, type HttpReply, type HttpRequest, send } from "../support/http-agent.ts";

const ANSWERED_WITHIN_MS = 60_000;
const TRY_AGAIN_AFTER_MS = 50;

/** One agent's way through the main path, and what it saw on it. */
export interface Player {
  url: string;
  deps: Deps;
  ownerId: string;
  code: string;
  handle: string;
  /** Every keyed write with the first answer that it got. */
  journal: { request: HttpRequest; reply: HttpReply }[];
  /** What came instead of an answer: nothing, or a refusal that asks to try again. */
  setbacks: string[];
}

/** What the agent made. */
export interface Made {
  token: string;
  agentId: string;
  assetId: string;
  datasetId: string;
  storyId: string;
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
  return { token, agentId, assetId, datasetId: dataset.id, storyId: story.id };
}

/** Sends a request until it is answered. A keyed one has an entry in the journal then. */
export async function insist(player: Player, request: HttpRequest, status: number): Promise<HttpReply> {
  const reply = await repeat(player, () => send(player.url, request));
  if (reply.status !== status) throw new Error(`${request.path} answered ${reply.status}: ${reply.text}`);
  if (request.key !== undefined) player.journal.push({ request, reply });
  return reply;
}

async function repeat(player: Player, attempt: () => Promise<HttpReply>): Promise<HttpReply> {
  const deadline = performance.now() + ANSWERED_WITHIN_MS;
  for (;;) {
    const reply = await attempt().catch(() => null);
    if (reply !== null && !asksToTryAgain(reply)) return reply;
    const wait = reply?.headers.get("retry-after") ?? "missing";
    player.setbacks.push(
      reply === null ? "no answer" : `${reply.status} ${reply.json?.code}, Retry-After ${wait}`,
    );
    if (performance.now() > deadline) throw new Error(`no answer came; ${player.setbacks.at(-1)}`);
    await delay(TRY_AGAIN_AFTER_MS);
  }
}

function asksToTryAgain(reply: HttpReply): boolean {
  return reply.status === 503 || reply.json?.code === "idempotency_in_progress";
}

/** Without a key an answer can be lost for good: then the owner issues a code for the agent that waits. */
async function enrol(player: Player): Promise<{ token: string; agentId: string }> {
  const { deps, handle } = player;
  let code = player.code;
  for (;;) {
    const body = { enrollment_code: code, handle, display_name: "Tide Watch" };
    const reply = await repeat(player, () =>
      send(player.url, { method: "POST", path: "/api/v1/agents", body }),
    );
    if (reply.status === 201) {
      const { agent, token } = reply.json.data;
      await untilDone(() => confirmClaim(deps, COMMAND_LINE, agent.id));
      return { token, agentId: agent.id };
    }
    if (reply.json?.code !== "enrollment_consumed") throw new Error(`enrolment answered ${reply.text}`);
    code = await untilDone(() => issueAnew(player));
  }
}

async function issueAnew({ deps, ownerId, handle }: Player): Promise<string> {
  const code = makeEnrollmentCode();
  await deps.pool.transaction(async (tx) => {
    const { sql } = await import("../../sql/pool.ts");
    const { z } = await import("zod");
    const agentId = await tx.oneFirst(
      sql.type(z.strictObject({ id: z.string() }))`SELECT id FROM agents WHERE handle = ${handle}`,
    );
    await insertEnrollment(tx, {
      id: deps.newId(),
      ownerId,
      codeHash: hashSecret(normalizeEnrollmentCode(code) ?? ""),
      handle: null,
      abilities: ABILITIES,
      agentId,
      nowMs: deps.now(),
      expiresMs: deps.now() + 3_600_000,
    });
  });
  return code;
}

/** A command whose database may be away: commands are tried again by hand, here by us. */
async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + ANSWERED_WITHIN_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await delay(TRY_AGAIN_AFTER_MS);
    }
  }
}

async function publishFrontPage(player: Player, token: string): Promise<void> {
  const path = "/api/v1/agent/profile";
  const name = `Tide Watch ${player.handle}`;
  let profile: Json = null;
  // Saving a profile takes no key: whoever got no answer looks whether it was saved.
  while (profile?.draft?.profile?.display_name !== name && profile?.draft?.display_name !== name) {
    profile = (await insist(player, { path, token }, 200)).json.data;
    if (profile.draft !== null) break;
    const patch = { method: "PATCH", path, token, ifMatch: profile.lock_version } as const;
    const saved = await repeat(player, () => send(player.url, { ...patch, body: { display_name: name } }));
    if (saved.status === 200) profile = saved.json.data;
    else if (saved.status !== 412) throw new Error(`saving the profile answered ${saved.text}`);
  }
  const body = { revision_id: profile.draft.revision_id };
  await keyed(player, token, `${path}/publish`, body, 200, profile.lock_version);
}

async function keyed(
  player: Player,
  token: string,
  path: string,
  body: object | FormData,
  status: number,
  ifMatch?: number,
): Promise<HttpReply> {
  const request = { method: "POST", path, token, key: randomUUID(), body } as const;
  return await insist(player, ifMatch === undefined ? request : { ...request, ifMatch }, status);
}

async function upload(player: Player, token: string): Promise<string> {
  const csv = `station,height_m\n${player.handle},4.12\nHusum,\n`;
  const path = "/api/v1/assets";
  const form = formOf("readings.csv", csv);
  const { id } = (await keyed(player, token, path, form, 201)).json.data;
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

async function publishCreation(player: Player, token: string, type: string, payload: object): Promise<Json> {
  const path = "/api/v1/creations";
  const creation = (await keyed(player, token, path, { type, payload }, 201)).json.data;
  const body = { revision_id: creation.latest_revision.id };
  await keyed(player, token, `${path}/${creation.id}/publish`, body, 200, creation.lock_version);
  return creation;
}
