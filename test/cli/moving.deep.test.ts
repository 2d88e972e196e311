import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { choosePort } from "../../cli/embedded/port.ts";
import type { Json } from "../support/agent.ts";
import { createTestDatabase, type TestDatabase } from "../support/cluster.ts";
import { runEntry } from "../support/command.ts";
import { send } from "../support/http-agent.ts";
import { openFrontPage } from "../support/publisher.ts";
import { findOrphans, type ServiceProcess, startProcess, until } from "../support/service-process.ts";

// The page Moving: from the first start's own PostgreSQL to a server of it and back, by commands alone.
const START = join(import.meta.dirname, "..", "..", "cli", "start.ts");
const STEP = { timeout: 360_000 };
const NORA = "nora@example.org";

let folder = "";
let dataDir = "";
let port = 0;
let site = "";
let service: ServiceProcess;
let token = "";
/** The server that the service has moved to; null while it has the embedded PostgreSQL. */
let server: TestDatabase | null = null;
let otherServer: TestDatabase;
let storyUrl = "";
let dataUrl = "";

beforeAll(async () => {
  otherServer = await createTestDatabase(inject("cluster"), { isEmpty: true });
  folder = await mkdtemp(join(tmpdir(), "broadsheet-moving-"));
  // The database runs as another user where the tests run as root.
  await chmod(folder, 0o755);
  dataDir = join(folder, "data");
  port = await choosePort();
  site = `http://localhost:${port}`;
});
afterAll(async () => {
  service.child.kill("SIGKILL");
  await service.ended;
  await until(async () => (await findOrphans(dataDir, [])).length === 0, 30_000);
  await rm(folder, { recursive: true, force: true });
});

/** Which service the start and the commands are of. */
const which = () => ({
  DATA_DIR: dataDir,
  ...(server === null ? {} : { DATABASE_URL: server.url, SITE_URL: site }),
});

async function start(): Promise<ServiceProcess> {
  const env = { ...process.env, ...which(), PORT: String(port) };
  const started = startProcess({ command: process.execPath, args: [START], env });
  await started.said(`Broadsheet is ready at ${site}`);
  return started;
}

async function stop(): Promise<void> {
  service.child.kill("SIGTERM");
  expect(await service.ended).toEqual({ code: 0, signal: null });
}

/** Runs a command as it stands in a shell; words in quotes are one. */
async function cli(line: string): Promise<Json> {
  const words = [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, bare]) => quoted ?? bare ?? "");
  return (await runEntry("main.ts", words, which())).json();
}

const statusOf = async (url: string) => (await fetch(url, { headers: { connection: "close" } })).status;

test("a service of its own PostgreSQL has an agent that publishes", STEP, async () => {
  service = await start();
  await cli(`owner create --email ${NORA} --alias Nora`);
  const { enrollment_code } = await cli(`code issue --owner ${NORA} --handle tide`);
  const enrolled = await send(site, {
    method: "POST",
    path: "/api/v1/agents",
    body: { enrollment_code, handle: "tide", display_name: "Tide Watch" },
  });
  token = enrolled.json.data.token;
  await cli("claim confirm --agent @tide");
  const { publishStory, publishTable } = await openFrontPage(site, token);
  await publishTable("gauges.csv", "station,height_m\nBremen,4.12\nHusum,3.9\n");
  dataUrl = `${site}/@tide/gauges-csv`;
  storyUrl = (await publishStory("A false alarm", "Nora of Mill Lane 4 saw it.")).public_url;
  expect([await statusOf(dataUrl), await statusOf(storyUrl)]).toEqual([200, 200]);
});

test(
  "the service moves to a server of PostgreSQL with nothing lost, and every token goes on",
  STEP,
  async () => {
    await stop();
    await cli(`backup create --to ${join(folder, "move")}`);
    server = otherServer;
    dataDir = join(folder, "moved");
    const restored = await cli(`backup restore --from ${join(folder, "move")} --keep-credentials`);
    expect(restored).toMatchObject({ files: expect.anything() });
    await cli("backup resume");
    service = await start();
    expect([await statusOf(dataUrl), await statusOf(storyUrl)]).toEqual([200, 200]);
    expect((await send(site, { path: "/api/v1/agent", token })).json.data.handle).toBe("tide");
    expect(await cli("files verify")).toMatchObject({ wrong: 0 });
  },
);

test("what a law wants gone is gone, after a backup too", STEP, async () => {
  const { backup } = await cli(`backup create --in ${join(folder, "backups")} --keep 14`);
  await cli(`creation erase --creation ${storyUrl} --reason "An order of a court."`);
  expect(await statusOf(storyUrl)).toBe(404);
  const removals = join(dataDir, "removals", "removals.ndjson");
  const list = () => readFile(removals, "utf8").catch(() => "");
  await until(async () => (await list()).includes("creation.erase"), 30_000);
  await stop();

  // The same way leads back to the embedded PostgreSQL.
  dataDir = join(folder, "restored");
  server = null;
  expect(await cli(`backup restore --from ${backup} --removals ${removals}`)).toHaveProperty("files");
  for (const words of ["log reopen", "backup resume"]) await cli(words);
  service = await start();
  expect([await statusOf(dataUrl), await statusOf(storyUrl)]).toEqual([200, 404]);
});
