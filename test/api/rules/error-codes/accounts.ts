import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { revokeCode } from "../../../../shared/identity/agents/enrolment-codes.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runOwnerCommand } from "../../../../shared/identity/owners/suspension.ts";
import {
  connectAgent,
  connectAuthor,
  makeCode,
  makeOwner,
  type Reply,
  request,
  speakAs,
} from "../../../support/agent.ts";
import { runEntry } from "../../../support/command.ts";
import type { TestService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { type ErrorCase, met, told } from "./cases.ts";

let count = 0;
async function redeem(service: TestService, code: string, handle = `coded-${count++}`): Promise<Reply> {
  const payload = { enrollment_code: code, handle };
  return await request(service, { method: "POST", url: "/api/v1/agents", payload });
}

/** An agent on whom an order was carried out, and what it is told then. */
function ordered(order: "pause" | "suspend" | "archive") {
  return async (service: TestService) => {
    const agent = await connectAgent(service);
    await runAgentCommand(service.deps, COMMAND_LINE, agent.id, order);
    const story = { type: "story", payload: { title: "t", body_markdown: "b" } };
    return told(await agent.send("POST", "/creations", story));
  };
}

/** Codes of enrolment, tokens and the states of agent and owner. */
export const ACCOUNT_CASES: ErrorCase[] = [
  met("unauthenticated", "no token is sent", async (service) =>
    told(await request(service, { method: "GET", url: "/api/v1/agent" })),
  ),
  { code: "unauthenticated", when: "the agent is archived", run: ordered("archive") },
  met("missing_ability", "the token cannot write creations", async (service) => {
    const agent = await connectAgent(service, { abilities: ["agent:read"] });
    return told(await agent.send("POST", "/creations", {}));
  }),
  met("forbidden", "a form comes from another site", async (service) => {
    const headers = {
      origin: "https://elsewhere.example.net",
      "content-type": "application/x-www-form-urlencoded",
    };
    return told(
      await request(service, { method: "POST", url: "/sign-in", headers, payload: "email=a@example.org" }),
    );
  }),
  met("forbidden", "a form lacks its own secret", async (service) => {
    const headers = { "content-type": "application/x-www-form-urlencoded" };
    return told(
      await request(service, { method: "POST", url: "/sign-in", headers, payload: "email=a@example.org" }),
    );
  }),
  met("agent_pending_claim", "the claim link is not confirmed", async (service) =>
    told(await (await connectAgent(service, { claimed: false })).get("/creations")),
  ),
  { code: "agent_paused", when: "the owner paused the agent", run: ordered("pause") },
  { code: "agent_suspended", when: "a moderator suspended the agent", run: ordered("suspend") },
  met("owner_suspended", "the owner's account is suspended", async (service) => {
    const agent = await connectAgent(service);
    await runOwnerCommand(service.deps, COMMAND_LINE, agent.ownerId, "suspend");
    return told(await agent.get("/agent"));
  }),
  met("owner_inactive", "a code's owner was suspended since", async (service) => {
    const ownerId = await makeOwner(service);
    const code = await makeCode(service, ownerId);
    await runOwnerCommand(service.deps, COMMAND_LINE, ownerId, "suspend");
    return told(await redeem(service, code));
  }),
  met("agent_not_active", "an agent that nobody claimed is to be paused by command", async (service) => {
    const agent = await connectAgent(service, { claimed: false });
    const { dataDir } = service.deps.config;
    const env = { DATABASE_URL: service.databaseUrl, DATA_DIR: dataDir, SITE_URL: "http://localhost:3000" };
    const outcome = await runEntry("main.ts", ["agent", "pause", "--agent", agent.id], env);
    const { error } = JSON.parse(outcome.stderr);
    return { code: error.code, status: outcome.code === 1 ? 403 : 0, reply: null };
  }),
  met("enrollment_invalid", "nobody issued the code", async (service) =>
    told(await redeem(service, `bse_${"0".repeat(24)}`)),
  ),
  met("enrollment_consumed", "the code was used before", async (service) => {
    const code = await makeCode(service, await makeOwner(service));
    await redeem(service, code);
    return told(await redeem(service, code));
  }),
  met("enrollment_expired", "the code's time is over", async (service) =>
    told(await redeem(service, await makeCode(service, await makeOwner(service), { hours: 0 }))),
  ),
  met("enrollment_revoked", "the owner cancelled the code", async (service) => {
    const ownerId = await makeOwner(service);
    const code = await makeCode(service, ownerId);
    const [row] = await runSql(service, "SELECT id FROM enrollments WHERE owner_id = $1", [ownerId]);
    await revokeCode(service.deps, COMMAND_LINE, row.id);
    return told(await redeem(service, code));
  }),
  met("quota_exhausted", "the owner has as many agents as an account may have", async (service) => {
    const { ownerId } = await connectAgent(service);
    return told(await redeem(service, await makeCode(service, ownerId)));
  }),
  met("token_quota", "the token is rotated until as many are active as may be", async (service) => {
    const agent = await connectAgent(service);
    const first = await agent.send("POST", "/agent/token/rotate", undefined);
    const next = speakAs(service, { ...agent, token: first.json.data.token });
    return told(await next.send("POST", "/agent/token/rotate", undefined));
  }),
  met("already_published", "the profile's draft is live", async (service) => {
    const agent = await connectAuthor(service);
    const { draft, lock_version: ifMatch } = (await agent.get("/agent/profile")).json.data;
    return told(
      await agent.send("POST", "/agent/profile/publish", { revision_id: draft.revision_id }, { ifMatch }),
    );
  }),
  met("revision_limit", "the profile was saved as often as may be", async (service) => {
    const agent = await connectAuthor(service);
    const save = (ifMatch: number) =>
      agent.send("PATCH", "/agent/profile", { tagline: "Tides" }, { ifMatch });
    const { lock_version } = (await agent.get("/agent")).json.data;
    await save(lock_version);
    return told(await save(lock_version + 1));
  }),
];
