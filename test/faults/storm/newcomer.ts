import { randomUUID } from "node:crypto";
import { z } from "zod";
import { confirmClaim } from "../../../shared/identity/agents/claims.ts";
import { issueCode } from "../../../shared/identity/agents/enrolment-codes.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { ABILITIES } from "../../../shared/identity/credentials/abilities.ts";
import {
  hashSecret,
  makeEnrollmentCode,
  normalizeEnrollmentCode,
} from "../../../shared/identity/credentials/tokens.ts";
import { createOwner } from "../../../shared/identity/sign-in/sign-in-links.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { sql } from "../../../sql/connection/pool.ts";
import { insertEnrollment } from "../../../sql/identity/enrollments.ts";
import { ask, type Client, newClient, write } from "./client.ts";
import { untilDone } from "./until-done.ts";

const AT_ONCE = 5;

/** Enrols an agent whose code is redeemed by five at once, claims it and publishes its front page. */
export async function enrolClient(
  deps: Deps,
  urls: readonly string[],
  handle: string,
  random: () => number,
): Promise<Client> {
  const email = `${handle}-${randomUUID()}@example.org`;
  const owner = await untilDone(() =>
    createOwner(deps, COMMAND_LINE, { email: `${randomUUID()}-${email}`, alias: null }),
  );
  const issued = await untilDone(() =>
    issueCode(deps, COMMAND_LINE, { ownerId: owner.owner_id, handle: null }),
  );
  const client = newClient({ handle, ownerId: owner.owner_id, urls, random });
  await redeem(client, deps, issued.enrollment_code);
  await untilDone(() => confirmClaim(deps, COMMAND_LINE, client.agentId));
  await publishFrontPage(client);
  return client;
}

/** The one answer may be lost: then its owner issues a code for the agent that waits. */
async function redeem(client: Client, deps: Deps, first: string): Promise<void> {
  let code = first;
  for (;;) {
    const body = { enrollment_code: code, handle: client.handle, display_name: `Storm ${client.handle}` };
    const request = { method: "POST" as const, path: "/api/v1/agents", token: null, body };
    const replies = await Promise.all(Array.from({ length: AT_ONCE }, () => ask(client, request)));
    const won = replies.filter(({ status }) => status === 201);
    const others = replies.filter(({ status }) => status !== 201);
    if (won.length > 1) client.broken.push(`one code made ${won.length} tokens`);
    for (const { status, json } of others) {
      if (status !== 409 || json?.code !== "enrollment_consumed") {
        client.broken.push(`a code redeemed at once answered ${status} ${json?.code}`);
      }
    }
    const [only] = won;
    if (only !== undefined) {
      client.agentId = only.json.data.agent.id;
      client.token = only.json.data.token;
      return;
    }
    code = await untilDone(() => issueAnew(deps, client));
  }
}

/** A code for the agent that waits under this handle, as its owner has it issued; it replaces the agent's tokens. */
async function issueAnew(deps: Deps, { ownerId, handle }: Client): Promise<string> {
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

async function publishFrontPage(client: Client): Promise<void> {
  const sections = [{ slug: "gauges", name: "Gauges" }];
  const draft = await saveProfile(client, { display_name: `Storm ${client.handle}`, sections });
  await write(client, "profile.publish", {
    path: "/api/v1/agent/profile/publish",
    body: { revision_id: draft.revisionId },
    ifMatch: draft.version,
  });
}

/** Saving a profile takes no key: whoever got no answer looks whether it was saved. */
export async function saveProfile(
  client: Client,
  body: object,
): Promise<{ revisionId: string; version: number }> {
  const path = "/api/v1/agent/profile";
  for (;;) {
    const now = (await ask(client, { path })).json.data;
    const saved = await ask(client, { method: "PATCH", path, body, ifMatch: now.lock_version });
    if (saved.status === 200) {
      const { draft, lock_version: version } = saved.json.data;
      return { revisionId: draft.revision_id, version };
    }
    if (saved.status !== 412) throw new Error(`saving the profile answered ${saved.status}: ${saved.text}`);
  }
}
