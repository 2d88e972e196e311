import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DAY_MS, MINUTE_MS } from "../../../../shared/ground/times.ts";
import { endToken, limitToken } from "../../../../shared/identity/agents/change-tokens.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { connectAgent, speakAs } from "../../../support/agent.ts";
import { runSql, setAgentTimestamp, setOwnerStatus } from "../../../support/tables.ts";
import {
  CSV,
  OTHER,
  openAddress,
  openUploadSite,
  postForm,
  putFile,
  putInParts,
  putUnknown,
  sameBytes,
  secretOf,
} from "./upload-addresses.ts";

const { service, agent } = await openUploadSite();

const open = (body: object = {}, by = agent) => openAddress(by, body);

const put = (url: string, content: string, headers = {}) => putFile(service, url, content, headers);
const post = (url: string, filename: string, content: string) => postForm(service, url, filename, content);
const UNKNOWN = () => putUnknown(service);

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
