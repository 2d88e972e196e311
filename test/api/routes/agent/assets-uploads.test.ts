import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, test } from "vitest";
import { sweepExpiredRows } from "../../../../shared/care/sweeps.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../shared/ground/times.ts";
import { type Json, makeForm, request } from "../../../support/agent.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { runSql } from "../../../support/tables.ts";
import {
  CSV,
  OTHER,
  openAddress,
  openUploadSite,
  postForm,
  putFile,
  putInParts,
  putUnknown,
  RAGGED,
  sameBytes,
  secretOf,
  sendFile,
} from "./upload-addresses.ts";

const { service, siteUrl, lines, agent } = await openUploadSite();

const open = (body: object = {}, by = agent) => openAddress(by, body);
const send = (method: "PUT" | "POST", url: string, payload: string | Buffer, headers = {}) =>
  sendFile(service, method, url, payload, headers);
const put = (url: string, content: string, headers = {}) => putFile(service, url, content, headers);
const post = (url: string, filename: string, content: string) => postForm(service, url, filename, content);
const UNKNOWN = () => putUnknown(service);

describe("an address", () => {
  test("takes the bytes of a file and answers as POST /assets does", async () => {
    const made = await agent.send("POST", "/uploads", { filename: "folder/readings.csv" });
    expect(made.status).toBe(201);
    const { upload_url: url, expires_at, curl } = made.json.data;
    expect(url).toMatch(new RegExp(`^${siteUrl}/api/v1/uploads/[\\w-]{43}$`));
    expect([expires_at, made.headers.location]).toEqual(["2026-11-20T09:15:00Z", url]);
    expect(curl).toBe(`curl -gsS -T 'readings.csv' '${url}'`);

    const reply = await put(url, CSV, { "content-type": "text/csv" });
    expect(reply.status).toBe(201);
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
      expect((await sweepExpiredRows(service.deps)).forgotten_upload_addresses).toBe(0);
      service.clock.nowMs += HOUR_MS;
      expect((await sweepExpiredRows(service.deps)).forgotten_upload_addresses).toBeGreaterThanOrEqual(2);
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

test("the line to run uploads the file in a shell, whatever its name", async () => {
  const folder = await openFolder();
  for (const filename of ["readings.csv", '-it\'s {a,b} [1-2] $HOME `x` "q" é.csv']) {
    const reply = await agent.send("POST", "/uploads", { filename });
    await writeFile(join(folder, filename), CSV);
    const { stdout } = await promisify(execFile)("/bin/sh", ["-c", reply.json.data.curl], { cwd: folder });
    const { data } = JSON.parse(stdout);
    expect([data.filename, data.readiness]).toEqual([filename, "ready"]);
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
