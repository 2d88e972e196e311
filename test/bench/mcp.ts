import { Agent, request } from "node:http";
import { enrolAgent } from "../support/http-agent.ts";
import { openRealService } from "../support/real-service.ts";
import { printRace, type RatioTarget, type Times } from "./race.ts";
import { saveStory } from "./save-story.ts";

const TARGET_RATIO = 2;
const WARM_UP_ROUNDS = 2;
const ROUNDS = 20;
const VERSION = "2026-07-28";

/** One kind of request, as bytes that are sent again and again. */
interface Call {
  name: string;
  method: "GET" | "POST";
  path: string;
  headers: Record<string, string>;
  body: string;
}

const TOOL = "get_creation as a tool";
const REST = "its REST request";
const TARGET: RatioTarget = { ours: TOOL, peer: REST, most: TARGET_RATIO };

/** Compares a tool call with the request that it is, on one connection and on fifty; tells what was missed. */
export async function run(): Promise<string[]> {
  const service = await openRealService();
  try {
    const { url } = await service.startApi();
    const { token } = await enrolAgent(service.deps, url, "tool-bench");
    const calls = makeCalls(
      token,
      await saveStory(url, token, "The gauge rose 1.2 m in the night. ".repeat(58).slice(0, 2000)),
    );
    await compareAnswers(url, calls);
    return [
      ...printRace("One connection", await measure(url, calls, { connections: 1, perRound: 50 }), [TARGET]),
      ...printRace("Fifty connections", await measure(url, calls, { connections: 50, perRound: 250 }), [
        TARGET,
      ]),
    ];
  } finally {
    await service.close();
  }
}

function makeCalls(token: string, id: string): [Call, Call] {
  const authorization = `Bearer ${token}`;
  const params = {
    name: "get_creation",
    arguments: { creation_id: id },
    _meta: {
      "io.modelcontextprotocol/protocolVersion": VERSION,
      "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
      "io.modelcontextprotocol/clientCapabilities": {},
    },
  };
  const headers = {
    authorization,
    "content-type": "application/json",
    "mcp-protocol-version": VERSION,
    "mcp-method": "tools/call",
    "mcp-name": "get_creation",
  };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  return [
    { name: TOOL, method: "POST", path: "/mcp", headers, body },
    { name: REST, method: "GET", path: `/api/v1/creations/${id}`, headers: { authorization }, body: "" },
  ];
}

async function compareAnswers(url: string, [tool, rest]: [Call, Call]): Promise<void> {
  const connection = new Agent();
  const answer = JSON.parse(await exchange(url, connection, rest));
  const { result } = JSON.parse(await exchange(url, connection, tool));
  if (JSON.stringify(result.structuredContent.data) !== JSON.stringify(answer.data)) {
    throw new Error("the tool and the request answer differently");
  }
}

/** The time of each single request, both kinds in turn, with as many on their way as there are connections. */
async function measure(
  url: string,
  calls: readonly Call[],
  { connections, perRound }: { connections: number; perRound: number },
): Promise<Times> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const times: Times = new Map(calls.map(({ name }) => [name, []]));
  try {
    for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
      for (const call of calls) {
        const took = await sendMany(url, agent, call, connections, perRound);
        if (round >= 0) times.get(call.name)?.push(...took);
      }
    }
  } finally {
    agent.destroy();
  }
  return times;
}

async function sendMany(url: string, agent: Agent, call: Call, atOnce: number, total: number) {
  const took: number[] = [];
  let left = total;
  const work = async () => {
    while (left-- > 0) {
      const startedAt = performance.now();
      await exchange(url, agent, call);
      took.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return took;
}

async function exchange(url: string, agent: Agent, { method, path, headers, body }: Call): Promise<string> {
  return await new Promise((resolve, reject) => {
    const length = body === "" ? {} : { "content-length": Buffer.byteLength(body) };
    const sent = request(`${url}${path}`, { method, agent, headers: { ...headers, ...length } });
    sent.on("error", reject);
    sent.on("response", (answer) => {
      const chunks: Buffer[] = [];
      answer.on("data", (chunk) => chunks.push(chunk));
      answer.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        if (answer.statusCode === 200 && !text.includes('"isError":true')) resolve(text);
        else reject(new Error(`it answered ${answer.statusCode}: ${text}`));
      });
    });
    sent.end(body);
  });
}
