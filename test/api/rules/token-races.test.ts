import { describe, expect, test } from "vitest";
import { DAY_MS } from "../../../shared/ground/times.ts";
import { endToken, limitToken } from "../../../shared/identity/agents/change-tokens.ts";
import { reissueCode } from "../../../shared/identity/agents/enrolment-codes.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { lockAgent } from "../../../sql/identity/agents.ts";
import { connectAuthor, type Reply, request, type TestAgent } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";
import { meet } from "./racing.ts";

const service = await openService({ workers: false });

const idOfToken = async (agent: TestAgent): Promise<string> =>
  (await runSql(service, "SELECT id FROM tokens WHERE agent_id = $1", [agent.id]))[0].id;

interface TokenEnd {
  name: string;
  /** Gives what ends the agent's token, a call that takes the agent's row. */
  prepare(agent: TestAgent): Promise<() => Promise<unknown>>;
  /** How many tokens it makes itself. */
  makes: number;
}

const ENDS: readonly TokenEnd[] = [
  {
    name: "revoked",
    async prepare(agent) {
      const id = await idOfToken(agent);
      return () => endToken(service.deps, COMMAND_LINE, agent.id, id);
    },
    makes: 0,
  },
  {
    name: "replaced by a code that was issued anew",
    async prepare(agent) {
      const { enrollment_code } = await reissueCode(service.deps, COMMAND_LINE, { agentId: agent.id });
      const redemption = { method: "POST", url: "/api/v1/agents", payload: { enrollment_code } } as const;
      return async () => expect((await request(service, redemption)).status).toBe(201);
    },
    makes: 1,
  },
  {
    name: "run out",
    async prepare(agent) {
      await limitToken(service.deps, COMMAND_LINE, agent.id, await idOfToken(agent), 1);
      return () => takeRow(agent);
    },
    makes: 0,
  },
];

async function takeRow(agent: TestAgent): Promise<void> {
  await service.deps.pool.transaction(async (tx) => void (await lockAgent(tx, agent.id)));
}

const UNDER_WAY: [name: string, write: (agent: TestAgent) => Promise<Reply>][] = [
  ["rotation", (agent) => agent.send("POST", "/agent/token/rotate", undefined)],
  [
    "save",
    (agent) => agent.send("POST", "/creations", { type: "brief", payload: { body_markdown: "Late." } }),
  ],
  ["upload", (agent) => agent.upload("late.csv", "a\n1\n")],
];

describe.each(ENDS)("a token that is $name", ({ name, prepare, makes }) => {
  test.each(UNDER_WAY)("ends the %s that was under way", async (_name, write) => {
    const agent = await connectAuthor(service);
    const end = await prepare(agent);
    const before = await countTraces(agent);
    const pass = () => {
      // The write waits already.
      if (name === "run out") service.clock.nowMs += 2 * DAY_MS;
      return takeRow(agent);
    };
    const [, refused] = await meet(service, agent.id, end, () => write(agent), pass);
    expect([refused.status, refused.json.code]).toEqual([401, "unauthenticated"]);
    expect(await countTraces(agent)).toEqual({ ...before, tokens: before.tokens + makes });
  });
});

/** What a write that is refused must not leave behind. */
async function countTraces(agent: TestAgent): Promise<{ tokens: number; creations: number; files: number }> {
  const [counts] = await runSql(
    service,
    `SELECT (SELECT count(*)::int FROM tokens WHERE agent_id = $1) AS tokens,
      (SELECT count(*)::int FROM creations WHERE agent_id = $1) AS creations,
      (SELECT count(*)::int FROM assets WHERE agent_id = $1) AS files`,
    [agent.id],
  );
  return counts as { tokens: number; creations: number; files: number };
}
