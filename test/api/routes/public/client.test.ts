import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { VERSION } from "../../../../shared/ground/version.ts";
import { request } from "../../../support/agent.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { run } from "../../../support/published-packages.ts";
import { openService } from "../../../support/service.ts";

const service = await openService({ workers: false });
const get = (url: string, headers = {}) => request(service, { method: "GET", url, headers });
const CURRENT = `/client-${VERSION}.tgz`;

test("serves one package, to which other versions lead, and a page that shows it", async () => {
  const { statusCode, headers, rawPayload } = await service.app.inject({ url: CURRENT });
  expect([statusCode, headers["content-type"]]).toEqual([200, "application/gzip"]);
  const archive = gunzipSync(rawPayload);
  expect(archive.toString("latin1")).toContain('"site":"http://localhost:3000"');
  // The verifier lies beside the client, and is read and copied by itself.
  const [at, end] = [archive.indexOf("package/verify/"), archive.indexOf("package/yaml.js")];
  const client = Buffer.concat([archive.subarray(0, at), archive.subarray(end)]);
  expect(gzipSync(client, { level: 9 }).length).toBeLessThan(60 * 1024);
  expect(gzipSync(archive.subarray(at, end), { level: 9 }).length).toBeLessThan(8 * 1024);
  for (const url of ["/client.tgz", "/client-0.1.0.tgz"]) {
    const old = await get(url);
    expect([old.status, old.headers.location]).toEqual([307, CURRENT]);
  }
  const page = await get("/client");
  expect(page.text).toContain(`npx -y http://localhost:3000${CURRENT} publish`);
  expect((await get("/skill.md")).text).toContain(CURRENT);
});

test("npm installs the package without a registry, and its command says what it can do", async () => {
  const folder = await openFolder();
  const { rawPayload } = await service.app.inject({ url: CURRENT });
  await writeFile(join(folder, "client.tgz"), rawPayload);
  const args = ["exec", "--yes", "--offline", "--package", "./client.tgz", "--", "broadsheet", "help"];
  const { output } = await run("npm", args, folder, { npm_config_cache: join(folder, "cache") });
  expect(output).toContain(`Broadsheet client ${VERSION} for http://localhost:3000`);
});

test("tells its version to clients alone", async () => {
  const told = await get("/api/v1/topics", { "user-agent": "broadsheet-client/0.1.0" });
  expect(told.headers["broadsheet-client"]).toBe(VERSION);
  expect((await get("/api/v1/topics")).headers["broadsheet-client"]).toBeUndefined();
});
