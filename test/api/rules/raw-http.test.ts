import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { connectAgent, type Json } from "../../support/agent.ts";
import { openService } from "../../support/service.ts";
import { listStoredFiles, runSql } from "../../support/tables.ts";

const path = join(import.meta.dirname, "../../../../shared/corpora/http-raw.json");
const corpus: Json = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
if (corpus === null) console.warn("SKIPPED: the corpus http-raw.json is not there; raw HTTP is not tested");

const service = await openService({ limits: { processingUploads: 1000 }, config: { uploadWaitMs: 10_000 } });
const agent = await connectAgent(service);
await service.app.listen({ port: 0, host: "127.0.0.1" });
const port = (service.app.server.address() as AddressInfo).port;

interface Answer {
  status: number | "close";
  head: string;
  body: string;
  heads: number;
}

/** Sends bytes as they are and reads until the server closes, or for a second once an answer has begun. */
async function sendRaw(bytes: Buffer, halfClose: boolean): Promise<Answer> {
  const received = await new Promise<string>((resolve) => {
    let text = "";
    const socket = connect(port, "127.0.0.1");
    let quiet: NodeJS.Timeout = setTimeout(() => end(), 8_000);
    const end = () => {
      clearTimeout(quiet);
      socket.destroy();
      resolve(text);
    };
    socket.on("error", end).on("close", end);
    socket.on("data", (chunk) => {
      text += chunk.toString("latin1");
      clearTimeout(quiet);
      quiet = setTimeout(end, 250);
    });
    if (halfClose) socket.end(bytes);
    else socket.write(bytes);
  });
  const [head = "", ...rest] = received.split("\r\n\r\n");
  const status = /^HTTP\/1\.1 (\d{3})/.exec(head)?.[1];
  return {
    status: status === undefined ? "close" : Number(status),
    head,
    body: rest.join("\r\n\r\n"),
    heads: received.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0,
  };
}

function fill(raw: string, values: Record<string, string>): string {
  return raw
    .replace(/\{REPEAT ((?:.|\\r\\n)+?) (\d+)\}/g, (_, text: string, count: string) =>
      text.replaceAll("\\r\\n", "\r\n").repeat(Number(count)),
    )
    .replace(/\{(HOST|TOKEN|UUID|V)\}/g, (_, name: string) => values[name] ?? "");
}

/** The corpus counts the length of its own bodies; after filling in, the real one must stand there. */
function toBytes({ name, raw }: Json): Buffer {
  const values = { HOST: `127.0.0.1:${port}`, TOKEN: agent.token, UUID: randomUUID(), V: "1" };
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const text = fill(rest.join("\r\n\r\n"), values);
  const body = name === "body: gzip" ? gzipSync(Buffer.from("{}")) : Buffer.from(text, "latin1");
  const filled = fill(head, values).replace("{AUTO}", String(body.length));
  return Buffer.concat([Buffer.from(`${filled}\r\n\r\n`, "latin1"), body]);
}

// A body of 50 MB and half an hour of waiting belong to the tests of a running process.
const LONG = /^(body: 50 MB|body never sent|headers never end)/;
// Words of the corpus for what it leaves open.
const OPEN = /not stated|or/;

describe.skipIf(corpus === null)("raw requests of the corpus", () => {
  const cases = (corpus?.http ?? []).filter((one: Json) => !LONG.test(one.name));
  test.each(cases as Json[])("$name", async (one) => {
    const answer = await sendRaw(toBytes(one), /then closed/.test(one.name));
    const expected: (number | string)[] = one.expect;
    const told = expected.some((value) => typeof value === "string" && value !== "close" && OPEN.test(value));
    if (!told) expect(expected).toContain(answer.status);
    expect(answer.status).not.toBe(500);
    expect(answer.heads).toBeLessThanOrEqual(1);
    const isOurs = /\/api\/v1/.test(one.raw.split("\r\n")[0]) && Number(answer.status) >= 400;
    if (isOurs && answer.status !== 431) {
      const body = JSON.parse(/\{.*\}/s.exec(answer.body)?.[0] ?? "null");
      expect([typeof body?.message, typeof body?.code]).toEqual(["string", "string"]);
    }
  });
});

function toForm(parts: Json[]): Buffer {
  const chunks: Buffer[] = [];
  for (const part of parts) {
    const type = part.content_type === null ? "" : `Content-Type: ${part.content_type}\r\n`;
    chunks.push(Buffer.from(`--b0\r\nContent-Disposition: ${part.disposition}\r\n${type}\r\n`));
    const base64 = /^\{BASE64 (.+)\}$/.exec(part.content)?.[1];
    chunks.push(base64 === undefined ? Buffer.from(part.content) : Buffer.from(base64, "base64"));
    chunks.push(Buffer.from("\r\n"));
  }
  return Buffer.concat([...chunks, Buffer.from("--b0--\r\n")]);
}

describe.skipIf(corpus === null)("forms of the corpus", () => {
  const cases = (corpus?.multipart ?? []).filter((one: Json) => one.name !== "200 MiB");
  test.each(cases as Json[])("$name", async (one) => {
    const before = await listStoredFiles(service);
    const response = await service.app.inject({
      method: "POST",
      url: "/api/v1/assets",
      headers: {
        authorization: `Bearer ${agent.token}`,
        "idempotency-key": randomUUID(),
        "content-type": one.content_type ?? "multipart/form-data; boundary=b0",
      },
      payload: toForm(one.parts),
    });
    if (one.expect === "accept")
      expect([response.statusCode, response.json().data?.readiness]).toEqual([201, "ready"]);
    else if (one.expect === "reject") expect([400, 415, 422]).toContain(response.statusCode);
    else expect([201, 422]).toContain(response.statusCode);
    if (response.statusCode === 201) return;
    expect(typeof response.json().code).toBe("string");
    expect(await listStoredFiles(service)).toEqual(before);
  });
});

test("a request that breaks off makes nothing, and the server answers the next one", async () => {
  const count = async () => (await runSql(service, "SELECT count(*)::int AS count FROM creations"))[0].count;
  const before = await count();
  const head = [
    "POST /api/v1/creations HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${agent.token}`,
    `Idempotency-Key: ${randomUUID()}`,
    "Content-Type: application/json",
    "Content-Length: 500",
  ].join("\r\n");
  const answer = await sendRaw(Buffer.from(`${head}\r\n\r\n{"type":"story","payload":{"title"`), true);
  expect(["close", 400, 408]).toContain(answer.status);
  expect(await count()).toBe(before);
  const next = await sendRaw(
    Buffer.from(`GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`),
    false,
  );
  expect(next.status).toBe(200);
});

test("an upload whose connection breaks leaves no row and no file", async () => {
  const before = await listStoredFiles(service);
  const form = toForm([
    {
      disposition: 'form-data; name="file"; filename="cut.csv"',
      content_type: "text/csv",
      content: "a\n1\n".repeat(5000),
    },
  ]);
  const head = [
    "POST /api/v1/assets HTTP/1.1",
    `Host: 127.0.0.1:${port}`,
    `Authorization: Bearer ${agent.token}`,
    `Idempotency-Key: ${randomUUID()}`,
    "Content-Type: multipart/form-data; boundary=b0",
    `Content-Length: ${form.length}`,
  ].join("\r\n");
  await sendRaw(Buffer.concat([Buffer.from(`${head}\r\n\r\n`), form.subarray(0, form.length / 2)]), true);
  expect(await listStoredFiles(service)).toEqual(before);
  expect(await runSql(service, "SELECT id FROM assets WHERE filename = 'cut.csv'")).toEqual([]);
});
