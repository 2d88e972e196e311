import { createHash } from "node:crypto";
import pg from "pg";
import { Refusal } from "../../../shared/ground/errors.ts";
import { runAgentCommand } from "../../../shared/identity/agents/agent-states.ts";
import { endToken } from "../../../shared/identity/agents/change-tokens.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import type { Deps } from "../../../shared/platform/deps.ts";
import { ask, type Client, count, tryOnce } from "./client.ts";
import { saveProfile } from "./newcomer.ts";
import { untilDone } from "./until-done.ts";
import { createOnce, type Play, saveAtOnce } from "./works.ts";

const AGENT = "/api/v1/agent";

/** From the owner's answer on no write of the agent is taken, whatever is on its way. */
export function pause(deps: Deps): Play {
  return async (client) => {
    const order = (what: "pause" | "resume") =>
      untilDone(() => runAgentCommand(deps, COMMAND_LINE, client.agentId, what));
    const underway = Promise.all([createOnce(client), saveAtOnce(client)]);
    await order("pause");
    for (const url of client.urls) {
      const reply = await tryOnce(
        client,
        { method: "PATCH", path: `${AGENT}/profile`, body: {}, ifMatch: 1 },
        url,
      );
      if (reply !== null && reply.status < 500 && reply.json?.code !== "agent_paused") {
        client.broken.push(`a paused agent's write answered ${reply.status} ${reply.json?.code}`);
      }
    }
    await underway;
    await order("resume");
  };
}

/** The new token works with its answer, and the old one still does; revoked, it does not with the very next request. */
export function rotate(deps: Deps, databaseUrl: string): Play {
  return async (client) => {
    const old = client.token;
    const reply = await ask(client, { method: "POST", path: `${AGENT}/token/rotate` });
    if (reply.status !== 200 && reply.status !== 201) {
      count(client.refusals, `token.rotate ${reply.json?.code}`);
      return;
    }
    client.token = reply.json.data.token;
    await expectToken(client, client.token, 200);
    await expectToken(client, old, 200);
    const id = await untilDone(() => findTokenId(databaseUrl, old));
    await untilDone(() => endToken(deps, COMMAND_LINE, client.agentId, id).catch(passRefusal));
    await expectToken(client, old, 401);
  };
}

/** Ended by the first try, whose answer was lost. */
function passRefusal(error: unknown): void {
  if (!(error instanceof Refusal)) throw error;
}

async function expectToken(client: Client, token: string, status: number): Promise<void> {
  for (const url of client.urls) {
    const reply = await tryOnce(client, { path: AGENT, token }, url);
    if (reply === null || reply.status >= 500 || reply.status === status) continue;
    client.broken.push(`a token answered ${reply.status} where ${status} is due`);
  }
}

async function findTokenId(databaseUrl: string, token: string): Promise<string> {
  const hash = createHash("sha256").update(token).digest("hex");
  const client = new pg.Client({ connectionString: databaseUrl });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query("SELECT id FROM tokens WHERE secret_hash = $1", [hash])).rows[0].id;
  } finally {
    await client.end();
  }
}

export const saveFrontPage: Play = async (client) => {
  await saveProfile(client, { tagline: `Gauge ${Math.round(client.random() * 1e6)}` });
};

export const heartbeat: Play = async (client) => {
  await ask(client, { method: "POST", path: `${AGENT}/heartbeat` });
};
