import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { choosePort } from "../../cli/embedded/port.ts";
import { VERSION } from "../../shared/ground/version.ts";
import { type Engine, provideEngine } from "../support/engine.ts";
import { send } from "../support/http-agent.ts";
import { until } from "../support/service-process.ts";
import { startLoad } from "../support/steady-load.ts";
import { MIGRATIONS_OF_0_4_0 } from "../support/version-040.ts";
import { takeVersionBefore } from "../support/version-before.ts";

// The image is built, and both compose files run, in a real engine.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 1_200_000 });

const ROOT = resolve(import.meta.dirname, "..", "..");
const IMAGE = `localhost/broadsheet:${VERSION}`;
const MOST_IMAGE_BYTES = 300_000_000;
const MOST_AT_REST_MIB = 450;
const LINK_WITHIN_MS = 60_000;
const REQUESTS = 3_000;
const NEW = ["api", "cli", "shared", "sql", "workers", "operators", "Dockerfile", ".dockerignore", ".npmrc"];
NEW.push("LICENSE", "package.json", "package-lock.json", "docker-compose.yml", "docker-compose.scale.yml");

let folder = "";
let engine: Engine | null = null;
let port = 0;

beforeAll(async () => {
  folder = await makeTemporaryDataFolder("broadsheet-test-");
  for (const name of ["bin", "trial", "site"]) await mkdir(join(folder, name));
  engine = await provideEngine(join(folder, "bin"));
  port = await choosePort();
});
afterAll(async () => {
  for (const project of ["trial", "site"]) await remove(project).catch(() => undefined);
  await engine?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Puts our files into a folder, over those of another version. */
async function layOut(name: string): Promise<string> {
  const to = join(folder, name);
  for (const path of NEW) {
    await rm(join(to, path), { recursive: true, force: true });
    await cp(join(ROOT, path), join(to, path), { recursive: true });
  }
  await engine?.adapt(to);
  return to;
}

/** Compose in a folder, whose containers and volumes have its name: one's own service stays untouched. */
async function compose(name: string, ...words: string[]): Promise<string> {
  if (engine === null) throw new Error("There is no engine.");
  return await engine.docker(join(folder, name), "compose", "--project-name", `test-${name}`, ...words);
}

const remove = (name: string) => compose(name, "down", "--volumes", "--remove-orphans", "--timeout", "2");

async function readTrialLink(): Promise<string> {
  const log = await compose("trial", "logs", "--no-log-prefix", "first");
  return /^ +(http:\S+\/sign-in\/\S+)$/m.exec(log)?.[1] ?? "";
}

test("one service builds the image, which is small and holds what was compiled", async (context) => {
  if (engine === null) return context.skip();
  const trial = await layOut("trial");
  await compose("trial", "build");
  const size = Number(await engine.docker(trial, "image", "inspect", "--format", "{{.Size}}", IMAGE));
  console.info(`the image has ${(size / 1e6).toFixed(0)} MB`);
  expect(size).toBeLessThanOrEqual(MOST_IMAGE_BYTES);
  const look =
    "find node_modules -name '*.map' -o -name '*.d.[cm]?ts'; ls .compiled | wc -l; command -v npm || echo none";
  expect(await engine.docker(trial, "run", "--rm", IMAGE, "sh", "-c", look)).toBe("1\nnone\n");
});

test("compose up with nothing edited prints the link to sign in by, makes a backup and stays small", async (context) => {
  if (engine === null) return context.skip();
  await writeFile(join(folder, "trial", ".env"), `PORT=${port}\n`);
  const startedAt = performance.now();
  await compose("trial", "up", "--detach");
  const link = await readTrialLink();
  expect(link).toMatch(new RegExp(`^http://localhost:${port}/sign-in/`));
  expect(performance.now() - startedAt).toBeLessThan(LINK_WITHIN_MS);
  await until(async () => (await fetch(link).catch(() => null))?.status === 200, 30_000);
  const states = await compose("trial", "ps", "--all", "--format", "{{.Service}} {{.State}}");
  expect(states.trim().split("\n").toSorted()).toEqual([
    ...["api running", "backup running", "first exited", "postgres running", "workers running"],
  ]);
  await until(async () => (await compose("trial", "ps")).match(/\(healthy\)/g)?.length === 4, 120_000);
  expect(await compose("trial", "exec", "backup", "sh", "-c", "ls /backups/*/manifest.json")).toMatch(
    /^\S+\n$/,
  );
  const doctor = await compose("trial", "run", "--rm", "first", "node", "cli/main.ts", "doctor");
  expect(doctor).not.toContain('"status":"fail"');
  const [names] = [(await compose("trial", "ps", "--quiet")).trim().split("\n")];
  const used = await engine.docker(folder, "stats", "--no-stream", "--format", "{{.MemUsage}}", ...names);
  const mib = [...used.matchAll(/^([\d.]+)MiB/gm)].reduce((sum, [, each]) => sum + Number(each), 0);
  console.info(`the trial takes ${mib.toFixed(0)} MiB at rest`);
  expect(mib).toBeLessThanOrEqual(MOST_AT_REST_MIB);
});

test("a second start makes no other password or link, and a volume without its password is refused in one line", async (context) => {
  if (engine === null) return context.skip();
  const link = await readTrialLink();
  await compose("trial", "stop");
  await compose("trial", "up", "--detach");
  expect(await readTrialLink()).toBe(link);
  await compose("trial", "down");
  await engine.docker(folder, "volume", "rm", "test-trial_secrets");
  await expect(compose("trial", "up", "--detach")).rejects.toThrow(/first.* exit 1/);
  const log = await compose("trial", "logs", "--no-log-prefix", "first");
  expect(log).toMatch(/^The volume postgres has a database .*COMPOSE_FILE=docker-compose\.scale\.yml.*\n$/);
  await remove("trial");
});

/** Connects an agent by the command line within a container; gives its token. */
async function connect(url: string): Promise<string> {
  const cli = async (...words: string[]) =>
    JSON.parse(await compose("site", "exec", "-T", "feed", "node", "cli/main.ts", ...words));
  await cli("owner", "create", "--email", "nora@example.org");
  const issued = await cli("code", "issue", "--owner", "nora@example.org");
  const enrolled = await send(url, {
    ...{ method: "POST", path: "/api/v1/agents", headers: { "content-type": "application/json" } },
    body: { enrollment_code: issued.enrollment_code, handle: "upgraded", display_name: "Up" },
  });
  await cli("claim", "confirm", "--agent", "@upgraded");
  return enrolled.json.data.token;
}

/** Runs operators/upgrade.sh of the site; gives its exit code and what it says. */
async function upgrade(...words: string[]): Promise<[number, string]> {
  const env = { ...engine?.env, COMPOSE_PROJECT_NAME: "test-site" };
  const script = join(folder, "site", "operators", "upgrade.sh");
  const child = spawn(script, words, { env, cwd: join(folder, "site"), stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  const [code] = await once(child, "exit");
  return [code, said];
}

test(`operators/upgrade.sh takes 0.4.0 to this version while ${REQUESTS} requests are sent, and none fails`, async (context) => {
  const before = engine === null ? null : await takeVersionBefore();
  if (engine === null || before === null) return context.skip();
  const site = join(folder, "site");
  const filter = (path: string) => !path.includes("node_modules") && !path.endsWith("code.tar");
  await cp(before.folder, site, { recursive: true, filter });
  await before.remove();
  await engine.adapt(site);
  // That version's own does not start where the limit of open files is low.
  await cp(join(ROOT, "operators", "haproxy.cfg"), join(site, "operators", "haproxy.cfg"));
  const limits = [
    "READS_PER_MINUTE",
    "WRITES_PER_MINUTE",
    "PUBLIC_JSON_PER_MINUTE",
    "FEEDS_PER_MINUTE",
    "CREATIONS",
  ];
  const url = `http://localhost:${port}`;
  const lines = [
    `PORT=${port}`,
    `SITE_URL=${url}`,
    "POSTGRES_PASSWORD=0123456789",
    "REDIS_PASSWORD=9876543210",
  ];
  lines.push(...limits.map((limit) => `LIMIT_${limit}=1000000`));
  await writeFile(join(site, ".env"), `${lines.join("\n")}\n`);
  await compose("site", "build", "api");
  await compose("site", "up", "--detach", "--wait", "proxy", "feed");
  await compose("site", "up", "--detach");
  const token = await connect(url);

  await layOut("site");
  expect(await upgrade()).toEqual([
    1,
    expect.stringContaining("COMPOSE_FILE=docker-compose.scale.yml into .env"),
  ]);
  await appendFile(join(site, ".env"), "COMPOSE_FILE=docker-compose.scale.yml\n");
  const load = startLoad({ url, token, requests: REQUESTS });
  const [code, said] = await upgrade("--backup", join(folder, "kept"));
  const told = await load.finish();
  expect([code, code === 0 ? "" : said, told.failed]).toEqual([0, "", []]);
  expect(told.answered).toBeGreaterThanOrEqual(REQUESTS);
  expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ version: VERSION });
  const [kept = ""] = await readdir(join(folder, "kept"));
  const { migrations } = JSON.parse(await readFile(join(folder, "kept", kept, "manifest.json"), "utf8"));
  expect(migrations.map(({ name }: { name: string }) => name)).toEqual(
    MIGRATIONS_OF_0_4_0.map(({ name }) => name),
  );
  const images = await compose("site", "ps", "--format", "{{.Image}}");
  expect(images.split("\n").filter((image) => image === "broadsheet")).toEqual([]);
  // Whoever then brings up all of it replaces nothing.
  const ids = await compose("site", "ps", "--quiet");
  await compose("site", "up", "--detach");
  expect(await compose("site", "ps", "--quiet")).toBe(ids);
});
