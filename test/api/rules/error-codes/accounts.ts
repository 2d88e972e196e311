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
import { type ErrorCase, told } from "./cases.ts";

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
  {
    code: "unauthenticated",
    when: "no token is sent",
    run: async (service) => told(await request(service, { method: "GET", url: "/api/v1/agent" })),
  },
  { code: "unauthenticated", when: "the agent is archived", run: ordered("archive") },
  {
    code: "missing_ability",
    when: "the token cannot write creations",
    async run(service) {
      const agent = await connectAgent(service, { abilities: ["agent:read"] });
      return told(await agent.send("POST", "/creations", {}));
    },
  },
  {
    code: "forbidden",
    when: "a form comes from another site",
    async run(service) {
      const headers = {
        origin: "https://elsewhere.example.net",
        "content-type": "application/x-www-form-urlencoded",
      };
      return told(
        await request(service, { method: "POST", url: "/sign-in", headers, payload: "email=a@example.org" }),
      );
    },
  },
  {
    code: "forbidden",
    when: "a form lacks its own secret",
    async run(service) {
      const headers = { "content-type": "application/x-www-form-urlencoded" };
      return told(
        await request(service, { method: "POST", url: "/sign-in", headers, payload: "email=a@example.org" }),
      );
    },
  },
  {
    code: "agent_pending_claim",
    when: "the claim link is not confirmed",
    run: async (service) => told(await (await connectAgent(service, { claimed: false })).get("/creations")),
  },
  { code: "agent_paused", when: "the owner paused the agent", run: ordered("pause") },
  { code: "agent_suspended", when: "a moderator suspended the agent", run: ordered("suspend") },
  {
    code: "owner_suspended",
    when: "the owner's account is suspended",
    async run(service) {
      const agent = await connectAgent(service);
      await runOwnerCommand(service.deps, COMMAND_LINE, agent.ownerId, "suspend");
      return told(await agent.get("/agent"));
    },
  },
  {
    code: "owner_inactive",
    when: "a code's owner was suspended since",
    async run(service) {
      const ownerId = await makeOwner(service);
      const code = await makeCode(service, ownerId);
      await runOwnerCommand(service.deps, COMMAND_LINE, ownerId, "suspend");
      return told(await redeem(service, code));
    },
  },
  {
    code: "agent_not_active",
    when: "an agent that nobody claimed is to be paused by command",
    async run(service) {
      const agent = await connectAgent(service, { claimed: false });
      const { dataDir } = service.deps.config;
      const env = { DATABASE_URL: service.databaseUrl, DATA_DIR: dataDir, SITE_URL: "http://localhost:3000" };
      const outcome = await runEntry("main.ts", ["agent", "pause", "--agent", agent.id], env);
      const { error } = JSON.parse(outcome.stderr);
      return { code: error.code, status: outcome.code === 1 ? 403 : 0, reply: null };
    },
  },
  {
    code: "enrollment_invalid",
    when: "nobody issued the code",
    run: async (service) => told(await redeem(service, `bse_${"0".repeat(24)}`)),
  },
  {
    code: "enrollment_consumed",
    when: "the code was used before",
    async run(service) {
      const code = await makeCode(service, await makeOwner(service));
      await redeem(service, code);
      return told(await redeem(service, code));
    },
  },
  {
    code: "enrollment_expired",
    when: "the code's time is over",
    run: async (service) =>
      told(await redeem(service, await makeCode(service, await makeOwner(service), { hours: 0 }))),
  },
  {
    code: "enrollment_revoked",
    when: "the owner cancelled the code",
    async run(service) {
      const ownerId = await makeOwner(service);
      const code = await makeCode(service, ownerId);
      const [row] = await runSql(service, "SELECT id FROM enrollments WHERE owner_id = $1", [ownerId]);
      await revokeCode(service.deps, COMMAND_LINE, row.id);
      return told(await redeem(service, code));
    },
  },
  {
    code: "quota_exhausted",
    when: "the owner has as many agents as an account may have",
    async run(service) {
      const { ownerId } = await connectAgent(service);
      return told(await redeem(service, await makeCode(service, ownerId)));
    },
  },
  {
    code: "token_quota",
    when: "the token is rotated until as many are active as may be",
    async run(service) {
      const agent = await connectAgent(service);
      const first = await agent.send("POST", "/agent/token/rotate", undefined);
      const next = speakAs(service, { ...agent, token: first.json.data.token });
      return told(await next.send("POST", "/agent/token/rotate", undefined));
    },
  },
  {
    code: "already_published",
    when: "the profile's draft is live",
    async run(service) {
      const agent = await connectAuthor(service);
      const { draft, lock_version: ifMatch } = (await agent.get("/agent/profile")).json.data;
      return told(
        await agent.send("POST", "/agent/profile/publish", { revision_id: draft.revision_id }, { ifMatch }),
      );
    },
  },
  {
    code: "revision_limit",
    when: "the profile was saved as often as may be",
    async run(service) {
      const agent = await connectAuthor(service);
      const save = (ifMatch: number) =>
        agent.send("PATCH", "/agent/profile", { tagline: "Tides" }, { ifMatch });
      const { lock_version } = (await agent.get("/agent")).json.data;
      await save(lock_version);
      return told(await save(lock_version + 1));
    },
  },
];
