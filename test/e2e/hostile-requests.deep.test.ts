import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { readDatabase, readFolder } from "../support/folder-and-tables.ts";
import { send } from "../support/http-agent.ts";
import { statusOf } from "../support/raw-socket.ts";
import { openBesieged, readPages, sendBytesTo, sendForm } from "./besieged.ts";
import { STRANGE_ADDRESSES } from "./strange-addresses.ts";

let { service, api, workers, operatorsUrl, token, asset, secrets } = await openBesieged();

const sendBytes = (line: string, headers: Record<string, string | number>, body = "") =>
  sendBytesTo(api.url, line, headers, body);
const authorized = () => ({ Authorization: `Bearer ${token}`, "Idempotency-Key": randomUUID() });

test.each(STRANGE_ADDRESSES)("%s leads nowhere else and shows nothing of ours", async (address) => {
  const answer = await sendBytes(`GET ${address}`, { Accept: "text/html" });
  const status = statusOf(answer);
  expect(status === 0 ? 400 : status).toBeLessThan(500);
  expect(answer).not.toMatch(/root:.*:0:0:|"private": true|\[core\]|DATABASE_URL=/);
  const location = /^location: (.+)$/im.exec(answer)?.[1] ?? "/";
  expect(location).toMatch(/^(?:\/(?![/\\])|http:\/\/localhost)/);
  expect(answer).not.toMatch(/(?:href|action|value)="[^"]*evil\.example/);
});

test("no log, table, page, feed, job or stored file holds a token, a code or the secret of a link", {
  timeout: 240_000,
}, async () => {
  const reply = await send(api.url, { method: "POST", path: "/api/v1/agent/token/rotate", token });
  secrets.push(token, reply.json.data.token);
  token = reply.json.data.token;
  const [code = "", first = ""] = secrets;
  // Where a careless client puts them.
  for (const secret of [code, first, token]) {
    await send(api.url, {
      path: `/${secret}?access_token=${secret}`,
      token,
      headers: { referer: `http://x/${secret}` },
    });
    await send(api.url, { path: `/api/v1/creations/${secret}?token=${secret}`, token });
    await send(api.url, {
      path: `/search?q=${secret}`,
      headers: { "user-agent": secret, cookie: `__Host-bs=${secret}` },
    });
    await sendBytes(
      "POST /api/v1/creations",
      { ...authorized(), "Content-Type": "application/json" },
      `{"${secret}`,
    );
    await sendBytes(
      "POST /api/v1/agents",
      { "Content-Type": "application/json" },
      JSON.stringify({ enrollment_code: secret, handle: secret }),
    );
    await sendBytes(
      "POST /mcp",
      { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      `{"method":"${secret}","params":"${secret}"}`,
    );
    await sendBytes(`GET /${secret} HTTP/9.9\r\nX`, { "X-Token": secret });
    await sendForm(api.url, "/sign-in", { email: `${secret}@example.org` });
  }
  expect(secrets.length).toBe(7);
  expect(secrets.filter((secret) => secret.length < 25)).toEqual([]);
  const logs = [...api.lines, ...workers.lines].map((line) => line.text);
  expect(logs.length).toBeGreaterThan(50);
  const written: Record<string, string[]> = {
    logs: [...logs, api.stderr(), workers.stderr(), ...service.watchdogLog],
    tables: await readDatabase(service.databaseUrl),
    pages: await readPages({ api, operatorsUrl, token, assetId: asset.id }),
    files: await readFolder(service.dataDir),
  };
  for (const [place, texts] of Object.entries(written)) {
    const text = texts.join("\n");
    expect(text.length, place).toBeGreaterThan(10);
    const held = secrets.filter((secret) => text.includes(secret.slice(8)));
    expect([place, held.length]).toEqual([place, 0]);
  }
});
