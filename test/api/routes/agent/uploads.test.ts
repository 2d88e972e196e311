import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { request as openRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Asset, Upload } from "../../../../api/openapi/schemas.ts";
import { choosePort } from "../../../../cli/embedded/port.ts";
import { endToken, limitToken } from "../../../../shared/agents/revoke-tokens.ts";
import { sweepUploadAddresses } from "../../../../shared/assets/upload-addresses.ts";
import { COMMAND_LINE } from "../../../../shared/audit/record-act.ts";
import { openLog } from "../../../../shared/deps.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../../shared/times.ts";
import {
  connectAgent,
  type Json,
  makeForm,
  type Reply,
  request,
  speakAs,
  type TestAgent,
  type WriteOptions,
} from "../../../support/agent.ts";
import { openService, type TestService } from "../../../support/service.ts";
import { runSql, setAgentTimestamp, setOwnerStatus } from "../../../support/tables.ts";

const CSV = "station,height_m\nBremen,4.12\n";
const RAGGED = "a,b\n1,2\n3\n";
const OTHER = "station,height_m\nHusum,4.40\n";

let service: TestService;
let agent: TestAgent;
let siteUrl: string;
const lines: string[] = [];

beforeAll(async () => {
  const port = await choosePort();
  siteUrl = `http://127.0.0.1:${port}`;
  const log = openLog("trace", "test", { write: (line) => void lines.push(line) });
  service = await openService({ log, config: { siteUrl, port }, limits: { processingUploads: 1000 } });
  await service.app.listen({ port, host: "127.0.0.1" });
  agent = await connectAgent(service);
});
afterAll(async () => await service.close());

async function open(body: object = {}, by = agent, options: WriteOptions = {}): Promise<string> {
  const reply = await by.send("POST", "/uploads", { filename: "readings.csv", ...body }, options);
  if (reply.status !== 201) throw new Error(`the address answered ${reply.status}: ${reply.text}`);
  return reply.json.data.upload_url;
}

const send = (method: "PUT" | "POST", url: string, payload: string | Buffer, headers = {}) =>
  request(service, { method, url: new URL(url).pathname, headers, payload });
const put = (url: string, content: string, headers = {}) => send("PUT", url, content, headers);
const post = (url: string, filename: string, content: string) => {
  const form = makeForm(filename, content);
  return send("POST", url, form.body, { "content-type": form.type });
};

/** The answer without what differs from request to request. */
function sameBytes({ status, headers, text, json }: Reply): unknown {
  return [status, headers["content-type"], text.replace(json.request_id, "ID")];
}

const UNKNOWN = () => put(`${siteUrl}/api/v1/uploads/${"A".repeat(43)}`, CSV);
const secretOf = (url: string) => url.split("/").at(-1) ?? "";

/** Sends a body in parts, and between two of them does something else. */
async function putInParts(url: string, parts: readonly string[], between = async () => {}): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const sent = openRequest(url, { method: "PUT" }, (response) => {
    response.resume();
    response.on("end", () => resolve(response.statusCode ?? 0));
  });
  sent.on("error", reject);
  const [first = "", ...rest] = parts;
  await new Promise((done) => sent.write(first, done));
  await between();
  for (const part of rest) sent.write(part);
  sent.end();
  return await promise;
}

describe("an address", () => {
  test("takes the bytes of a file and answers as POST /assets does", async () => {
    const made = await agent.send("POST", "/uploads", { filename: "folder/readings.csv" });
    expect([made.status, Upload.safeParse(made.json).error]).toEqual([201, undefined]);
    const { upload_url: url, expires_at, curl } = made.json.data;
    expect(url).toMatch(new RegExp(`^${siteUrl}/api/v1/uploads/[\\w-]{43}$`));
    expect([expires_at, made.headers.location]).toEqual(["2026-11-20T09:15:00Z", url]);
    expect(curl).toBe(`curl -gsS -T 'readings.csv' '${url}'`);

    const reply = await put(url, CSV, { "content-type": "text/csv" });
    expect([reply.status, Asset.safeParse(reply.json).error]).toEqual([201, undefined]);
    const { id, filename, readiness } = reply.json.data;
    expect([filename, readiness]).toEqual(["readings.csv", "ready"]);
    expect([reply.headers.location, reply.headers["cache-control"]]).toEqual([
      `${siteUrl}/api/v1/assets/${id}`,
      "no-store",
    ]);
    expect((await agent.get(`/assets/${id}`)).json).toEqual(reply.json);
    expect((await agent.get(`/assets/${id}/content`)).text).toBe(CSV);
  });

  test("takes a form, whose file gets the name that the address was made for", async () => {
    const reply = await post(await open(), "renamed.txt", CSV);
    expect([reply.status, reply.json.data.filename]).toEqual([201, "readings.csv"]);
    const url = await open();
    const minimal = await put(url, OTHER, { prefer: "return=minimal" });
    expect([minimal.status, minimal.headers["preference-applied"]]).toEqual([201, "return=minimal"]);
    expect(Object.keys(minimal.json.data)).toEqual(["id", "readiness", "readiness_reason", "content_sha256"]);
  });

  test("takes a body of known length, and one in chunks", async () => {
    const known = await fetch(await open(), { method: "PUT", body: CSV });
    expect([known.status, ((await known.json()) as Json).data.bytes]).toEqual([201, CSV.length]);
    expect(await putInParts(await open(), ["station\n", "Bremen\n", "Husum\n"])).toBe(201);
  });

  test("ends with its file: the same bytes get the same answer, others find it closed", async () => {
    const url = await open();
    const first = await put(url, CSV);
    const again = await post(url, "readings.csv", CSV);
    expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([
      201,
      first.text,
      "true",
    ]);
    expect(sameBytes(await put(url, OTHER))).toEqual(sameBytes(await UNKNOWN()));
    const deleted = await agent.send("DELETE", `/assets/${first.json.data.id}`, undefined);
    expect(deleted.status).toBe(204);
    expect(sameBytes(await put(url, CSV))).toEqual(sameBytes(await UNKNOWN()));
  });

  test("stays open after a refused file or a wrong media type", async () => {
    const url = await open();
    const refused = await put(url, RAGGED);
    expect([refused.status, refused.json.errors.file[0]]).toEqual([422, expect.stringMatching(/Row 3/)]);
    expect((await put(url, "")).status).toBe(422);
    const form = makeForm("readings.csv", CSV);
    const formByPut = await send("PUT", url, form.body, { "content-type": form.type });
    expect([formByPut.status, formByPut.json.message]).toEqual([415, expect.stringMatching(/by POST/)]);
    expect((await send("POST", url, CSV, { "content-type": "text/csv" })).status).toBe(415);
    const misspelt = await fetch(`${url}?x=1`, { method: "PUT", body: CSV });
    expect([misspelt.status, Object.keys(((await misspelt.json()) as Json).errors)]).toEqual([422, ["x"]]);
    expect((await put(url, CSV)).status).toBe(201);
    expect((await put(url, OTHER)).status).toBe(404);
  });

  test("is refused a file that is too large, whose sender reads the answer", async () => {
    const url = await open();
    const { fileBytes } = service.deps.config.limits;
    const content = `a\n${"1\n".repeat(fileBytes / 2)}`;
    const unknown = await fetch(`${siteUrl}/api/v1/uploads/nothing`, { method: "PUT", body: content });
    expect(unknown.status).toBe(404);
    const large = await fetch(url, { method: "PUT", body: content });
    expect([large.status, ((await large.json()) as Json).code]).toEqual([422, "validation_failed"]);
    expect((await put(url, CSV)).status).toBe(201);
  });

  test("takes exactly one of the files that come at one moment", async () => {
    const before = (await agent.get("/agent")).json.data.usage.files;
    const url = await open();
    const files = Array.from({ length: 6 }, (_, at) => `station\nn${at % 3}\n`);
    const replies = await Promise.all(files.map((content) => put(url, content)));
    const taken = new Set(replies.filter(({ status }) => status === 201).map(({ text }) => text));
    expect(taken.size).toBe(1);
    for (const { status, json } of replies.filter((reply) => reply.status !== 201)) {
      expect(["404 not_found", "409 idempotency_in_progress"]).toContain(`${status} ${json.code}`);
      expect(json.message).not.toMatch(/Idempotency-Key/);
    }
    expect((await agent.get("/agent")).json.data.usage.files).toBe(before + 1);
  });

  test("takes a file for fifteen minutes, and goes an hour later", async () => {
    const [url, late] = [await open(), await open()];
    const start = service.clock.nowMs;
    try {
      service.clock.nowMs = start + 15 * MINUTE_MS - 1;
      expect((await put(url, CSV)).status).toBe(201);
      service.clock.nowMs++;
      expect(sameBytes(await put(late, CSV))).toEqual(sameBytes(await UNKNOWN()));
      expect((await put(url, CSV)).status).toBe(404);
      expect(await sweepUploadAddresses(service.deps)).toBe(0);
      service.clock.nowMs += HOUR_MS;
      expect(await sweepUploadAddresses(service.deps)).toBeGreaterThanOrEqual(2);
      expect(await runSql(service, "SELECT id FROM upload_addresses")).toEqual([]);
    } finally {
      service.clock.nowMs = start;
    }
  });

  test("answers what it takes to another method, whatever its secret is", async () => {
    for (const url of [await open(), `${siteUrl}/api/v1/uploads/nothing`]) {
      const reply = await request(service, { method: "GET", url: new URL(url).pathname });
      expect([reply.status, reply.headers.allow]).toEqual([405, "PUT, POST"]);
      expect(reply.json.hint).toMatch(/^PUT the bytes/);
    }
    for (const name of ["nothing", "a".repeat(44)]) {
      expect(sameBytes(await put(`${siteUrl}/api/v1/uploads/${name}`, CSV))).toEqual(
        sameBytes(await UNKNOWN()),
      );
    }
  });
});

describe("an address closes", () => {
  test("while its agent is paused, and with a suspension, for every file", async () => {
    const now = new Date(service.clock.nowMs);
    const stranger = await connectAgent(service);
    const url = await open({}, stranger);
    const closings: [on: () => Promise<unknown>, off: () => Promise<unknown>][] = (
      ["paused_at", "suspended_at", "archived_at"] as const
    ).map((state) => [
      () => setAgentTimestamp(service, stranger.id, state, now),
      () => setAgentTimestamp(service, stranger.id, state, null),
    ]);
    closings.push([
      () => setOwnerStatus(service, stranger.ownerId, "suspended"),
      () => setOwnerStatus(service, stranger.ownerId, "active"),
    ]);
    const unknown = sameBytes(await UNKNOWN());
    for (const [close, reopen] of closings) {
      await close();
      expect(sameBytes(await put(url, CSV))).toEqual(unknown);
      expect(sameBytes(await post(url, "readings.csv", CSV))).toEqual(unknown);
      await reopen();
    }
    const pause = () => setAgentTimestamp(service, stranger.id, "paused_at", now);
    expect(await putInParts(url, ["station\n", "Bremen\n"], pause)).toBe(404);
    await setAgentTimestamp(service, stranger.id, "paused_at", null);
    expect((await stranger.get("/agent")).json.data.usage.files).toBe(0);
    expect((await put(url, CSV)).status).toBe(201);
  });

  test("with the end of the token that made it, not with a new token", async () => {
    const stranger = await connectAgent(service);
    const [first] = await runSql(service, "SELECT id FROM tokens WHERE agent_id = $1", [stranger.id]);
    const urls = [await open({}, stranger), await open({}, stranger)];
    const rotated = await stranger.send("POST", "/agent/token/rotate", undefined, { key: null });
    const { token } = rotated.json.data;
    expect((await put(urls[0] ?? "", CSV)).status).toBe(201);
    const byNew = await open({}, speakAs(service, { ...stranger, token }));
    await endToken(service.deps, COMMAND_LINE, stranger.id, first.id);
    expect(sameBytes(await put(urls[1] ?? "", CSV))).toEqual(sameBytes(await UNKNOWN()));
    expect((await put(byNew, OTHER)).status).toBe(201);
  });

  test("where its token expires sooner", async () => {
    const stranger = await connectAgent(service);
    const [{ id }] = await runSql(service, "SELECT id FROM tokens WHERE agent_id = $1", [stranger.id]);
    await limitToken(service.deps, COMMAND_LINE, stranger.id, id, 1);
    const start = service.clock.nowMs;
    try {
      service.clock.nowMs = start + DAY_MS - MINUTE_MS;
      const url = await open({}, stranger);
      service.clock.nowMs += MINUTE_MS;
      expect((await put(url, CSV)).status).toBe(404);
    } finally {
      service.clock.nowMs = start;
    }
  });
});

describe("POST /uploads", () => {
  test("gives the same address to the same key, and stores no secret", async () => {
    const key = randomUUID();
    const first = await agent.send("POST", "/uploads", { filename: "a.csv" }, { key });
    const again = await agent.send("POST", "/uploads", { filename: "a.csv" }, { key });
    expect([again.status, again.text, again.headers.location]).toEqual([
      201,
      first.text,
      first.headers.location,
    ]);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    const other = await agent.send("POST", "/uploads", { filename: "b.csv" }, { key });
    expect([other.status, other.json.code]).toEqual([409, "idempotency_mismatch"]);
    const secret = secretOf(first.json.data.upload_url);
    for (const table of ["upload_addresses", "idempotency_keys", "audit_log", "service_keys"]) {
      const rows = await runSql(service, `SELECT row_to_json(t)::text AS text FROM ${table} t`);
      expect(rows.length).toBeGreaterThan(0);
      for (const { text } of rows) expect(text).not.toContain(secret);
    }
  });

  test("refuses what no upload could be", async () => {
    const { fileBytes, storageBytes } = service.deps.config.limits;
    const refused: [body: object, status: number, fields: string[]][] = [
      [{}, 422, ["filename"]],
      [{ filename: "table.xlsx" }, 422, ["filename"]],
      [{ filename: `${"n".repeat(252)}.csv` }, 422, ["filename"]],
      [{ filename: "a\u0007.csv" }, 422, ["filename"]],
      [{ filename: "a.csv", bytes: 0 }, 422, ["bytes"]],
      [{ filename: "a.csv", bytes: fileBytes + 1 }, 422, ["bytes"]],
      [{ filename: "a.csv", base_asset_id: "01M7WVCCXGEVQM8BZ45NSYPBF2" }, 422, ["base_asset_id"]],
    ];
    for (const [body, status, fields] of refused) {
      const reply = await agent.send("POST", "/uploads", body);
      expect([reply.status, Object.keys(reply.json.errors)], JSON.stringify(body)).toEqual([status, fields]);
    }
    const stranger = await connectAgent(service, { abilities: ["agent:read", "assets:read"] });
    expect((await stranger.send("POST", "/uploads", { filename: "a.csv" })).json.code).toBe(
      "missing_ability",
    );
    const full = await connectAgent(service);
    await runSql(service, "UPDATE agents SET storage_bytes = $2 WHERE id = $1", [full.id, storageBytes - 9]);
    const large = await full.send("POST", "/uploads", { filename: "a.csv", bytes: 10 });
    expect([large.status, large.json.code]).toEqual([409, "storage_quota_exhausted"]);
    expect((await full.send("POST", "/uploads", { filename: "a.csv", bytes: 9 })).status).toBe(201);
  });

  test("opens twenty at a time", async () => {
    const stranger = await connectAgent(service);
    const made = await Promise.all(
      Array.from({ length: 22 }, () => stranger.send("POST", "/uploads", { filename: "a.csv" })),
    );
    const opened = made.filter(({ status }) => status === 201);
    expect(opened).toHaveLength(20);
    const refused = made.find(({ status }) => status !== 201);
    expect([refused?.status, refused?.json.code]).toEqual([409, "quota_exhausted"]);
    expect(refused?.json.hint).toMatch(/15 minutes/);
    expect((await put(opened[0]?.json.data.upload_url, CSV)).status).toBe(201);
    await open({}, stranger);
    expect((await stranger.send("POST", "/uploads", { filename: "a.csv" })).status).toBe(409);
  });
});

test("the line to run uploads the file in a shell, whatever its name", async () => {
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-upload-"));
  try {
    for (const filename of ["readings.csv", '-it\'s {a,b} [1-2] $HOME `x` "q" é.csv']) {
      const reply = await agent.send("POST", "/uploads", { filename });
      await writeFile(join(folder, filename), CSV);
      const { stdout } = await promisify(execFile)("/bin/sh", ["-c", reply.json.data.curl], { cwd: folder });
      const { data } = JSON.parse(stdout);
      expect([data.filename, data.readiness]).toEqual([filename, "ready"]);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test("no line of the log holds the secret of an address", async () => {
  lines.length = 0;
  const url = await open();
  await put(url, RAGGED);
  await put(url, CSV);
  await put(`${url}x`, CSV);
  service.deps.log.warn({ at: url, upload_url: url }, `sent to ${url}`);
  const secret = secretOf(url);
  expect(lines.some((line) => line.includes("/api/v1/uploads/:upload"))).toBe(true);
  expect(lines.filter((line) => line.includes(secret))).toEqual([]);
});
