import { execFile } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { type ClientRequest, type IncomingMessage, request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { currentRequester, type Requester } from "../../../../shared/platform/concurrency/places.ts";
import { publishFiles } from "../../../support/published-files.ts";
import { openService } from "../../../support/service.ts";
import { listen } from "../../mcp/published-tool.ts";

const CONTENT = "a\n7\n";
const CONDITION = { column: "a", op: "gt", value: "6" };
const QUERY = "filter[0][column]=a&filter[0][op]=gt&filter[0][value]=6";

let url = "";
/** Who asked for rows, in the order in which the questions came. */
const asked: Requester[] = [];

const service = await openService({ workers: false });
const { agent, ids } = await publishFiles(service, { "slow.csv": CONTENT, "light.csv": CONTENT });
const { readRows } = service.threads;
service.threads.readRows = (question) => {
  asked.push(currentRequester());
  return readRows(question);
};
url = await listen(service);

/** Lets the bytes of a published file come once somebody writes them; gives its path. */
async function makeSlow(id: string): Promise<string> {
  const path = join(
    fileURLToPath(service.deps.config.filesUrl.replace(/^file:/, "file://")),
    id.slice(-2),
    id,
  );
  await rm(path);
  await promisify(execFile)("mkfifo", [path]);
  return path;
}

function send(path: string, options: object = {}, body = ""): ClientRequest {
  const sent = request(`${url}${path}`, { agent: false, ...options });
  sent.on("error", () => {});
  sent.end(body);
  return sent;
}

const readLight = () => send(`/media/${ids["light.csv"]}/rows?${QUERY}`);

const callTool = () => {
  const args = { asset_id: ids["light.csv"], filter: [CONDITION] };
  const params = { name: "read_dataset_rows", arguments: args };
  const headers = { "content-type": "application/json", authorization: `Bearer ${agent.token}` };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  return send("/mcp", { method: "POST", headers }, body);
};

test("whoever leaves while a question waits for its turn is dropped, and the others get their answer", async () => {
  const path = await makeSlow(ids["slow.csv"] ?? "");
  const first = send(`/media/${ids["slow.csv"]}/rows?${QUERY}`);
  await expect.poll(() => asked.length).toBe(1);
  const [leaving, calling] = [readLight(), callTool()];
  await expect.poll(() => asked.length).toBe(3);
  const staying = readLight();
  await expect.poll(() => asked.length).toBe(4);
  expect(asked.map(({ signal }) => signal?.aborted)).toEqual([false, false, false, false]);
  const keys = asked.map(({ key }) => key);
  expect(keys.toSorted()).toEqual([agent.id, "127.0.0.1", "127.0.0.1", "127.0.0.1"]);
  leaving.destroy();
  calling.destroy();
  await expect.poll(() => asked.filter(({ signal }) => signal?.aborted)).toHaveLength(2);
  const answers = [first, staying].map(async (sent) => {
    const [reply] = (await once(sent, "response")) as [IncomingMessage];
    reply.resume();
    return reply.statusCode;
  });
  await writeFile(path, CONTENT);
  expect(await Promise.all(answers)).toEqual([200, 200]);
});
