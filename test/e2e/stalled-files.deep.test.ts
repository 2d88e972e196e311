import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { zstdCompressSync } from "node:zlib";
import { expect, test } from "vitest";
import { enrolAgent, formOf, send } from "../support/http-agent.ts";
import { headOf, openRaw, statusOf } from "../support/raw-socket.ts";
import { openServiceOfRun } from "../support/real-service.ts";

const STALLED = 4;
/** The pause that ends a file, and what a busy machine adds to two of them. */
const PAUSE_MS = 10_000;
const SLOW_MS = 9_000;

const service = await openServiceOfRun({ UPLOAD_WAIT_MS: "20000" });
const [api] = await Promise.all([service.startApi(), service.startWorkers(["inspect"])]);

/** Sends the begin of a compressed file and nothing more; gives the milliseconds until it was ended. */
async function stall(token: string): Promise<number> {
  const beganMs = performance.now();
  const connection = openRaw(Number(new URL(api.url).port));
  const form = { "Content-Type": "multipart/form-data; boundary=b0", "Content-Length": 9_999 };
  const headers = { Authorization: `Bearer ${token}`, "Idempotency-Key": randomUUID(), ...form };
  const part = '--b0\r\nContent-Disposition: form-data; name="file"; filename="half.csv.zst"\r\n\r\n';
  connection.write(headOf("POST /api/v1/assets", headers) + part);
  connection.write(zstdCompressSync("a\n1\n").subarray(0, 5));
  const [head = "", text = ""] = (await connection.closed).split("\r\n\r\n");
  expect([statusOf(head), JSON.parse(text).code]).toEqual([408, "http_error"]);
  return performance.now() - beganMs;
}

test("files that stop arriving are ended with 408, two of an agent at a time, and those behind them are taken", {
  timeout: 120_000,
}, async () => {
  const { token } = await enrolAgent(service.deps, api.url, "stalling");
  const other = await enrolAgent(service.deps, api.url, "arriving");
  const upload = (by: string) => {
    const body = formOf("whole.csv.zst", new Uint8Array(zstdCompressSync("a\n1\n")));
    return send(api.url, { method: "POST", path: "/api/v1/assets", token: by, key: randomUUID(), body });
  };
  const stalled = Array.from({ length: STALLED }, () => stall(token));
  await delay(1_000);
  const behind = upload(token);
  const beganMs = performance.now();
  expect((await upload(other.token)).status).toBe(201);
  expect(performance.now() - beganMs).toBeLessThan(PAUSE_MS / 2);
  const endedMs = (await Promise.all(stalled)).sort((one, next) => one - next);
  expect(endedMs.filter((ms) => ms < PAUSE_MS + SLOW_MS)).toHaveLength(2);
  // The wait for a turn is no pause of the sender.
  expect(endedMs.filter((ms) => ms > 2 * PAUSE_MS - 100)).toHaveLength(2);
  expect((await behind).status).toBe(201);
});
