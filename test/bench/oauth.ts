import { randomUUID } from "node:crypto";
import type { Json } from "../support/agent.ts";
import { enrolAgent, send } from "../support/http-agent.ts";
import { allowDirectly, REDIRECT } from "../support/oauth.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { runSql } from "../support/tables.ts";
import { printRace, type RatioTarget, race } from "./race.ts";
import { printMeasurements } from "./report.ts";

const TRIES = 200;
const TOKEN_WITHIN_MS = 15;
const ROUNDS = 400;
const SAME = 1.1;
const ENROLLED = "get_agent at /mcp, enrolled token";
const CONNECTED = "get_agent at /mcp, token of a connection";
const AT_AGENT = "get_agent at /mcp/agent, token of a connection";
const TARGETS: readonly RatioTarget[] = [
  { ours: CONNECTED, peer: ENROLLED, most: SAME },
  { ours: AT_AGENT, peer: ENROLLED, most: SAME },
];

/** Times requests for tokens beside a rotation, and a tool's call with the token of a connection beside an enrolled one's. */
export async function run(): Promise<string[]> {
  const limits = { LIMIT_TOKENS_PER_AGENT: "1000000", LIMIT_GRANTS_PER_AGENT: "1000000" };
  const service = await openRealService({ env: limits });
  try {
    const { url } = await service.startApi();
    const agent = await enrolAgent(service.deps, url, "oauth-bench");
    const { times, access } = await timeTokens(service, url, agent);
    const missed = printMeasurements("requests for tokens", [
      { name: "a code exchanged", milliseconds: times.exchange, target: TOKEN_WITHIN_MS },
      { name: "a token renewed", milliseconds: times.refresh, target: TOKEN_WITHIN_MS },
      { name: "an enrolled token rotated", milliseconds: times.rotate },
    ]);
    const calls = await race(
      [
        { name: ENROLLED, run: () => call(url, "/mcp", agent.token) },
        { name: CONNECTED, run: () => call(url, "/mcp", access) },
        { name: AT_AGENT, run: () => call(url, "/mcp/agent", access) },
      ],
      ROUNDS,
    );
    return [...missed, ...printRace("a tool's call", calls, TARGETS)];
  } finally {
    await service.close();
  }
}

async function timeTokens(service: RealService, url: string, agent: { id: string; token: string }) {
  const times: Record<"exchange" | "refresh" | "rotate", number[]> = {
    exchange: [],
    refresh: [],
    rotate: [],
  };
  const [{ owner_id: ownerId }] = await runSql(service, "SELECT owner_id FROM agents WHERE id = $1", [
    agent.id,
  ]);
  let access = "";
  for (let n = 0; n < TRIES; n++) {
    const { clientId, code, verifier } = await allowDirectly(service.deps, { ownerId, agentId: agent.id });
    const exchange = {
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT,
      code_verifier: verifier,
    };
    const first = await time(times.exchange, () => askTokens(url, { ...exchange, client_id: clientId }));
    const refresh = { grant_type: "refresh_token", refresh_token: first.refresh_token, client_id: clientId };
    access = (await time(times.refresh, () => askTokens(url, refresh))).access_token;
    const rotation = { method: "POST", path: "/api/v1/agent/token/rotate", key: randomUUID() } as const;
    await time(times.rotate, async () => expectStatus(await send(url, { ...rotation, token: agent.token })));
  }
  return { times, access };
}

async function time<Result>(into: number[], work: () => Promise<Result>): Promise<Result> {
  const startedMs = performance.now();
  const result = await work();
  into.push(performance.now() - startedMs);
  return result;
}

async function askTokens(url: string, fields: Record<string, string>): Promise<Json> {
  const reply = await fetch(`${url}/oauth/token`, { method: "POST", body: new URLSearchParams(fields) });
  return expectStatus({ status: reply.status, json: await reply.json() });
}

async function call(url: string, path: string, token: string): Promise<void> {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get_agent" } };
  const { result } = expectStatus(await send(url, { method: "POST", path, token, body }));
  if (result.isError !== false) throw new Error(`the call was refused: ${result.content[0].text}`);
}

function expectStatus({ status, json }: { status: number; json: Json }): Json {
  if (status !== 200) throw new Error(`the service answered ${status}: ${JSON.stringify(json)}`);
  return json;
}
