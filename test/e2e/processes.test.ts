import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { readdir, stat } from "node:fs/promises";
import { type IncomingMessage, request as openRequest } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withClient } from "../../cli/embedded/database.ts";
import type { Json } from "../support/agent.ts";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { type ApiProcess, openRealService, type RealService } from "../support/real-service.ts";
import { type ServiceProcess, until } from "../support/service-process.ts";

const CSV = "station,height_m\nBremen,4.12\nHusum,\n";

let service: RealService;
let api: ApiProcess;
let workers: ServiceProcess;
let token = "";

beforeAll(async () => {
  service = await openRealService({ env: { UPLOAD_WAIT_MS: "1000" } });
  [api, workers] = await Promise.all([service.startApi(), service.startWorkers()]);
  ({ token } = await enrolAgent(service.deps, api.url, "processes"));
});
afterAll(async () => {
  expect(service.failures()).toEqual([]);
  expect(await service.close()).toEqual([]);
});

function upload(url: string, filename: string): Promise<{ status: number; json: Json }> {
  const body = formOf(filename, CSV);
  return send(url, { method: "POST", path: "/api/v1/assets", token, key: randomUUID(), body });
}

async function readinessOf(id: string): Promise<string> {
  return (await send(api.url, { path: `/api/v1/assets/${id}`, token })).json.data.readiness;
}

test("while the worker is dead the API answers and takes uploads, which become ready when it is back", async () => {
  expect((await upload(api.url, "before.csv")).json.data.readiness).toBe("ready");
  process.kill(workers.pid, "SIGKILL");
  expect(await workers.ended).toEqual({ code: null, signal: "SIGKILL" });

  for (const path of ["/", "/readyz", "/feed.xml"]) {
    expect(`${path} ${(await send(api.url, { path })).status}`).toBe(`${path} 200`);
  }
  expect((await send(api.url, { path: "/api/v1/agent", token })).status).toBe(200);
  const taken = await upload(api.url, "during.csv");
  expect(`${taken.status} ${taken.json.data.readiness}`).toBe("201 processing");

  workers = await service.startWorkers();
  await until(async () => (await readinessOf(taken.json.data.id)) === "ready", 30_000);
});

test("SIGTERM lets an upload that is on its way arrive and be answered, and ends within ten seconds", async () => {
  const other = await service.startApi();
  const slow = openUpload(other.url);
  slow.write('Content-Disposition: form-data; name="file"; filename="slow.csv"\r\n\r\nstation,height_m\n');
  await until(async () => (await readUnfinished()).some((bytes) => bytes > 0), 10_000);
  const begun = performance.now();
  other.child.kill("SIGTERM");
  await until(() => refuses(other.url), 5000);
  slow.write("Bremen,4.12\n");
  const { status, json, connection } = await slow.finish();
  expect(`${status} ${json.data.readiness} ${connection}`).toBe("201 ready close");
  expect(await other.ended).toEqual({ code: 0, signal: null });
  expect(performance.now() - begun).toBeLessThan(10_000);
  expect(await readUnfinished()).toEqual([]);
});

test("fifty parallel requests with one key over two API processes make one creation", async () => {
  const other = await service.startApi();
  const title = `Once ${randomUUID()}`;
  const body = { type: "story", payload: { title, body_markdown: "The gauge rose." } };
  const request = { method: "POST", path: "/api/v1/creations", token, key: randomUUID(), body } as const;
  const urls = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? api.url : other.url));
  const replies = await Promise.all(urls.map((url) => send(url, request)));
  const made = replies.filter((reply) => reply.status === 201);
  const refused = replies.filter((reply) => reply.status !== 201);
  expect(made.length).toBeGreaterThan(0);
  expect(new Set(made.map((reply) => reply.text)).size).toBe(1);
  expect(made.filter((reply) => reply.headers.get("idempotent-replayed") === null)).toHaveLength(1);
  for (const reply of refused) {
    expect(`${reply.status} ${reply.json.code}`).toBe("409 idempotency_in_progress");
    expect(reply.headers.get("retry-after")).toBe("1");
  }
  const found = await withClient(service.databaseUrl, (client) =>
    client.query("SELECT creation_id FROM creation_revisions WHERE title = $1", [title]),
  );
  expect(found.rows).toEqual([{ creation_id: made[0]?.json.data.id }]);
});

/** An upload whose bytes go out when the test says so. */
function openUpload(url: string) {
  const boundary = `form-${randomUUID()}`;
  const headers = {
    authorization: `Bearer ${token}`,
    "idempotency-key": randomUUID(),
    "content-type": `multipart/form-data; boundary=${boundary}`,
  };
  const outgoing = openRequest(`${url}/api/v1/assets`, { method: "POST", headers });
  const answered = once(outgoing, "response") as Promise<[IncomingMessage]>;
  outgoing.write(`--${boundary}\r\n`);
  return {
    write: (text: string) => outgoing.write(text),
    async finish(): Promise<{ status: number | undefined; json: Json; connection: string | undefined }> {
      outgoing.end(`\r\n--${boundary}--\r\n`);
      const [response] = await answered;
      const text = (await response.toArray()).join("");
      const { statusCode: status, headers } = response;
      return { status, json: JSON.parse(text), connection: headers.connection };
    },
  };
}

async function readUnfinished(): Promise<number[]> {
  const folder = join(service.dataDir, "files", "tmp");
  const names = await readdir(folder).catch(() => []);
  return (await Promise.all(names.map((name) => stat(join(folder, name)).catch(() => null))))
    .filter((found) => found !== null)
    .map((found) => found.size);
}

async function refuses(url: string): Promise<boolean> {
  const reply = await send(url, { path: "/healthz", headers: { connection: "close" } }).catch(() => null);
  return reply === null || reply.status === 503;
}
