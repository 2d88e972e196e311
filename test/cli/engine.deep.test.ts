import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { choosePort } from "../../cli/embedded/port.ts";
import { VERSION } from "../../shared/ground/version.ts";
import { type ComposeFolder, makeComposeFolder } from "../support/compose-folder.ts";
import { type Engine, provideEngine } from "../support/engine.ts";
import { send } from "../support/http-agent.ts";
import { readCommands } from "../support/page-commands.ts";
import { until } from "../support/service-process.ts";
import { startLoad, startVisits } from "../support/steady-load.ts";
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
const CLOSED_AT_MOST_MS = 10_000;
const NO_LIMITS = [
  "READS_PER_MINUTE",
  "WRITES_PER_MINUTE",
  "PUBLIC_JSON_PER_MINUTE",
  "FEEDS_PER_MINUTE",
  "CREATIONS",
]
  .map((limit) => `LIMIT_${limit}=1000000\n`)
  .join("");
let folder = "";
let engine: Engine | null = null;
let trial: ComposeFolder;
let site: ComposeFolder;
let url = "";
let upgradedToken = "";

beforeAll(async () => {
  folder = await makeTemporaryDataFolder("broadsheet-test-");
  await mkdir(join(folder, "bin"));
  engine = await provideEngine(join(folder, "bin"));
  if (engine === null) return;
  trial = await makeComposeFolder(engine, folder, "trial");
  site = await makeComposeFolder(engine, folder, "site");
  url = `http://localhost:${await choosePort()}`;
});
afterAll(async () => {
  if (engine !== null) for (const each of [trial, site]) await each.remove().catch(() => undefined);
  await engine?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function readTrialLink(): Promise<string> {
  const log = await trial.compose("logs", "--no-log-prefix", "first");
  return /^ +(http:\S+\/sign-in\/\S+)$/m.exec(log)?.[1] ?? "";
}

test("one service builds the image, which is small and holds what was compiled", async (context) => {
  if (engine === null) return context.skip();
  await trial.layOut();
  await trial.compose("build");
  const size = Number(await engine.docker(folder, "image", "inspect", "--format", "{{.Size}}", IMAGE));
  console.info(`the image has ${(size / 1e6).toFixed(0)} MB`);
  expect(size).toBeLessThanOrEqual(MOST_IMAGE_BYTES);
  const look =
    "find node_modules -name '*.map' -o -name '*.d.[cm]?ts'; ls .compiled | wc -l; command -v npm || echo none";
  expect(await engine.docker(folder, "run", "--rm", IMAGE, "sh", "-c", look)).toBe("1\nnone\n");
});

test("compose up with nothing edited prints the link to sign in by, makes a backup and stays small", async (context) => {
  if (engine === null) return context.skip();
  await writeFile(join(trial.path, ".env"), `PORT=${new URL(url).port}\n`);
  const startedAt = performance.now();
  await trial.compose("up", "--detach");
  const link = await readTrialLink();
  expect(link).toMatch(new RegExp(`^${url}/sign-in/`));
  expect(performance.now() - startedAt).toBeLessThan(LINK_WITHIN_MS);
  await until(async () => (await fetch(link).catch(() => null))?.status === 200, 30_000);
  const states = await trial.compose("ps", "--all", "--format", "{{.Service}} {{.State}}");
  expect(states.trim().split("\n").toSorted()).toEqual([
    ...["api running", "backup running", "first exited", "postgres running", "workers running"],
  ]);
  await until(async () => (await trial.compose("ps")).match(/\(healthy\)/g)?.length === 4, 120_000);
  expect(await trial.compose("exec", "backup", "sh", "-c", "ls /backups/*/manifest.json")).toMatch(/^\S+\n$/);
  const doctor = await trial.compose("run", "--rm", "first", "node", "cli/main.ts", "doctor");
  expect(doctor).not.toContain('"status":"fail"');
  const [names] = [(await trial.compose("ps", "--quiet")).trim().split("\n")];
  const used = await engine.docker(folder, "stats", "--no-stream", "--format", "{{.MemUsage}}", ...names);
  const mib = [...used.matchAll(/^([\d.]+)MiB/gm)].reduce((sum, [, each]) => sum + Number(each), 0);
  console.info(`the trial takes ${mib.toFixed(0)} MiB at rest`);
  expect(mib).toBeLessThanOrEqual(MOST_AT_REST_MIB);
});

test("a new version takes the trial's place within ten seconds, and fails nobody who was let in", async (context) => {
  if (engine === null) return context.skip();
  await appendFile(join(trial.path, ".env"), NO_LIMITS);
  await trial.compose("up", "--detach", "--wait", "api");
  const token = await trial.connect(url, "run", "--rm", "-T", "first");
  const file = join(trial.path, "shared", "ground", "version.ts");
  const code = await readFile(file, "utf8");
  await writeFile(file, code.replace("about.version", `"${VERSION}-next"`));
  const visits = startVisits({ url, token, isForwarded: true });
  const [, , renew] = await readCommands(ROOT, "containers", "## Start");
  await trial.runShown(renew);
  const { answered, failed, closedMs } = await visits.finish();
  console.info(`${answered} visits, and the trial's port was closed for ${Math.round(closedMs)} ms`);
  expect(failed).toEqual([]);
  expect(closedMs).toBeLessThanOrEqual(CLOSED_AT_MOST_MS);
  const healthz = await fetch(`${url}/healthz`);
  expect(await healthz.json()).toMatchObject({ version: `${VERSION}-next` });
});

test("a second start makes no other password or link, and a volume without its password is refused in one line", async (context) => {
  if (engine === null) return context.skip();
  const link = await readTrialLink();
  await trial.compose("stop");
  await trial.compose("up", "--detach");
  expect(await readTrialLink()).toBe(link);
  await trial.compose("down");
  await engine.docker(folder, "volume", "rm", "test-trial_secrets");
  await expect(trial.compose("up", "--detach")).rejects.toThrow(/first.* exit 1/);
  const log = await trial.compose("logs", "--no-log-prefix", "first");
  expect(log).toMatch(/^The volume postgres has a database .*COMPOSE_FILE=docker-compose\.scale\.yml.*\n$/);
  await trial.remove();
});

/** Waits until the service answers as a version. */
async function untilVersion(version: string): Promise<void> {
  const ask = async (path: string) => await fetch(`${url}${path}`).then((answer) => answer.text(), String);
  await until(async () => (await ask("/healthz")).includes(`"version":"${version}"`), 120_000);
  await until(async () => (await ask("/readyz")) === '{"status":"ready"}', 120_000);
}

/** Runs operators/upgrade.sh of the site; gives its exit code and what it says. */
async function upgrade(...words: string[]): Promise<[number, string]> {
  const script = join(site.path, "operators", "upgrade.sh");
  const child = spawn(script, words, { env: site.env, cwd: site.path, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (said += chunk));
  const [code] = await once(child, "exit");
  return [code, said];
}

test(`operators/upgrade.sh takes 0.4.0 to this version while ${REQUESTS} requests are sent, and none fails`, async (context) => {
  const before = engine === null ? null : await takeVersionBefore();
  if (engine === null || before === null) return context.skip();
  const filter = (path: string) => !path.includes("node_modules") && !path.endsWith("code.tar");
  await cp(before.folder, site.path, { recursive: true, filter });
  await before.remove();
  await engine.adapt(site.path);
  // That version's own does not start where the limit of open files is low.
  await cp(join(ROOT, "operators", "haproxy.cfg"), join(site.path, "operators", "haproxy.cfg"));
  const lines = [
    `PORT=${new URL(url).port}`,
    `SITE_URL=${url}`,
    "POSTGRES_PASSWORD=0123456789",
    "REDIS_PASSWORD=9876543210",
  ];
  await writeFile(join(site.path, ".env"), `${lines.join("\n")}\n${NO_LIMITS}`);
  await site.compose("build", "api");
  await site.compose("up", "--detach", "--wait", "proxy", "feed");
  await site.compose("up", "--detach");
  const token = await site.connect(url, "exec", "-T", "feed");

  await site.layOut();
  expect(await upgrade()).toEqual([
    1,
    expect.stringContaining("COMPOSE_FILE=docker-compose.scale.yml into .env"),
  ]);
  await appendFile(join(site.path, ".env"), "COMPOSE_FILE=docker-compose.scale.yml\n");
  const load = startLoad({ url, token, requests: REQUESTS });
  const [code, said] = await upgrade("--backup", join(folder, "kept"));
  const told = await load.finish();
  const isWell = code === 0 && told.failed.length === 0;
  if (!isWell) console.info(said, (await site.compose("logs", "proxy")).match(/.* 503 .*|.*Server .*/g));
  expect([code, told.failed]).toEqual([0, []]);
  expect(told.answered).toBeGreaterThanOrEqual(REQUESTS);
  expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ version: VERSION });
  const [kept = ""] = await readdir(join(folder, "kept"));
  const { migrations } = JSON.parse(await readFile(join(folder, "kept", kept, "manifest.json"), "utf8"));
  expect(migrations.map(({ name }: { name: string }) => name)).toEqual(
    MIGRATIONS_OF_0_4_0.map(({ name }) => name),
  );
  const images = await site.compose("ps", "--format", "{{.Image}}");
  expect(images.split("\n").filter((image) => image === "broadsheet")).toEqual([]);
  // Whoever then brings up all of it replaces nothing.
  const ids = await site.compose("ps", "--quiet");
  await site.compose("up", "--detach");
  expect(await site.compose("ps", "--quiet")).toBe(ids);
  upgradedToken = token;
});

test("the upgraded service goes back to 0.4.0 and forth, and its copied backup is restored", async (context) => {
  if (engine === null || upgradedToken === "") return context.skip();
  const [back] = await readCommands(ROOT, "containers", "### Go back");
  await site.runShown(back);
  await untilVersion("0.4.0");
  await site.compose("up", "--detach");
  await untilVersion(VERSION);
  const list = async (token: string) => {
    const answer = await send(url, { path: "/api/v1/creations?per_page=100", token });
    return answer.json.data ?? answer.text;
  };
  const before = await list(upgradedToken);
  await site.compose("run", "--rm", "migrate", "node", "cli/main.ts", "log", "key", "add");
  expect(before).toHaveLength(100);
  const [copy, restore] = await readCommands(ROOT, "containers", "## Backups");
  const away = join(folder, "away");
  await mkdir(away);
  await site.compose("exec", "backup", "node", "cli/main.ts", "backup", "create", "--in", "/backups");
  await site.runShown(copy, { "/mnt/elsewhere": away });
  const backups = (await readdir(join(away, "backups"))).filter((name) => /^\d/.test(name)).toSorted();
  const BACKUP = join(away, "backups", backups.at(-1) ?? "");
  await site.runShown(restore, { BACKUP, KEYS: join(away, "keys") });
  await untilVersion(VERSION);
  // The tokens of before are ended.
  const token = await site.connectAgain(url, "run", "--rm", "-T", "migrate");
  expect(await list(token)).toEqual(before);
});
