import { spawnSync } from "node:child_process";
import { cp, mkdir, readdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { choosePort } from "../../cli/embedded/port.ts";
import { VERSION } from "../../shared/ground/version.ts";
import { send } from "../support/http-agent.ts";
import { findOrphans, startProcess } from "../support/service-process.ts";

// What npm pack makes, without this tree: npx gets its packages from the registry, and runs JavaScript alone.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 });

const ROOT = resolve(import.meta.dirname, "..", "..");
const TARBALL = `./broadsheet-${VERSION}.tgz`;

let folder = "";
let env: NodeJS.ProcessEnv = {};
let port = 0;

beforeAll(async () => {
  folder = await makeTemporaryDataFolder("broadsheet-test-");
  port = await choosePort();
  const { PATH, HOME, NODE_EXTRA_CA_CERTS } = process.env;
  const cache = join(folder, "cache");
  env = { PATH, HOME, NODE_EXTRA_CA_CERTS, TMPDIR: folder, PORT: String(port), npm_config_cache: cache };
});
afterAll(async () => {
  expect(await findOrphans(folder, [])).toEqual([]);
  await rm(folder, { recursive: true, force: true });
});

const npx = (...words: string[]) => ["-y", TARBALL, ...words];
const ask = (...words: string[]) =>
  JSON.parse(spawnSync("npx", npx(...words), { cwd: folder, env, encoding: "utf8" }).stdout);

test("the tarball starts the whole service by npx, with its data beside it, and ends with npm", async (context) => {
  if (spawnSync("npm", ["ping"], { env, timeout: 60_000 }).status !== 0) {
    console.warn("LEFT OUT: no registry answers, so nothing was started from the tarball.");
    return context.skip();
  }
  // A copy, as npm pack leaves dist/ for a moment where the tests of others read.
  const tree = join(folder, "tree");
  await mkdir(tree);
  for (const name of ["api", "cli", "shared", "sql", "workers", "test/support", "README.md", "LICENSE"])
    await cp(join(ROOT, name), join(tree, name), { recursive: true });
  for (const name of ["package.json", "package-lock.json"]) await cp(join(ROOT, name), join(tree, name));
  const withNode = { ...env, PATH: `${join(ROOT, "node_modules", ".bin")}:${env.PATH}` };
  const packed = spawnSync("npm", ["pack", "--pack-destination", folder], { cwd: tree, env: withNode });
  expect([packed.status, packed.status === 0 ? "" : String(packed.stderr)]).toEqual([0, ""]);
  expect(await readdir(tree)).not.toContain("dist");
  const files = String(spawnSync("tar", ["-tzf", join(folder, TARBALL)]).stdout)
    .trim()
    .split("\n");
  expect(files).toEqual(expect.arrayContaining(["package/npm-shrinkwrap.json", "package/dist/cli/start.js"]));
  expect(files.filter((path) => /\.ts$|\/test\//.test(path))).toEqual([]);

  const running = startProcess({ command: "npx", args: npx("start"), env, cwd: folder });
  const first = await running.said(
    "This is the first start: an owner was made, and this is shown once.",
    300_000,
  );
  await running.said(`Broadsheet is ready at http://localhost:${port}`);
  expect(await readdir(folder)).toContain("data");
  const url = `http://localhost:${port}`;
  const enrolled = await send(url, {
    ...{ method: "POST", path: "/api/v1/agents", headers: { "content-type": "application/json" } },
    body: { enrollment_code: first.enrollment_code, handle: "packed", display_name: "Packed" },
  });
  expect(ask("claim", "confirm", "--agent", "@packed")).toMatchObject({ status: "active" });
  // By a thread of its own, whose file is another name there.
  const form = new FormData();
  form.append("file", new Blob(["a,b\n1,2\n"]), "levels.csv");
  const headers = {
    authorization: `Bearer ${enrolled.json.data.token}`,
    "idempotency-key": crypto.randomUUID(),
  };
  const uploaded = await fetch(`${url}/api/v1/assets`, { method: "POST", headers, body: form });
  expect(await uploaded.json()).toMatchObject({ data: { readiness: "ready", inspection: { row_count: 1 } } });
  running.child.kill("SIGTERM");
  await running.ended;
  await vi.waitFor(async () => expect(await findOrphans(folder, [])).toEqual([]), 20_000);
});
