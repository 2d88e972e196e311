import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { choosePort } from "../../cli/embedded/port.ts";
import type { Json } from "../support/agent.ts";
import { createTestDatabase, type TestDatabase } from "../support/cluster.ts";
import { runEntry } from "../support/command.ts";
import { formOf, send } from "../support/http-agent.ts";
import { findInMail } from "../support/mail-folder.ts";
import { openPlainBrowser, type PlainBrowser, type Visit } from "../support/plain-browser.ts";
import { findOrphans, type ServiceProcess, startProcess, until } from "../support/service-process.ts";

// What an operator does from the first start to a restored backup: by commands, mails and the console alone. Nobody
// copies an id: people, agents and works go by their addresses and names.
const START = join(import.meta.dirname, "..", "..", "cli", "start.ts");
const STEP = { timeout: 360_000 };
const FIRST = "first@example.org";
const NORA = "nora@example.org";

let folder = "";
let dataDir = "";
let port = 0;
let site = "";
let service: ServiceProcess;
let moderator: PlainBrowser;
let token = "";
/** The server that the service has moved to; null while it has the embedded PostgreSQL. */
let server: TestDatabase | null = null;
let otherServer: TestDatabase;
let storyUrl = "";
let dataUrl = "";

beforeAll(async () => {
  otherServer = await createTestDatabase(inject("cluster"), { isEmpty: true });
  folder = await mkdtemp(join(tmpdir(), "broadsheet-day-"));
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
  const env = { ...process.env, ...which(), PORT: String(port), FIRST_OWNER_EMAIL: FIRST };
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

/** Signs somebody in by the newest mail that the service wrote for them. */
async function signIn(email: string): Promise<PlainBrowser> {
  const browser = openPlainBrowser(site);
  await browser.submit(await browser.open("/sign-in"), "/sign-in", { email });
  const address = await findInMail(dataDir, email, /http:\/\/\S+\/sign-in\/[\w-]+/);
  const page = await browser.open(address);
  const home = await browser.submit(page, new URL(address).pathname);
  expect([home.status, new URL(home.url).pathname]).toEqual([200, "/console"]);
  return browser;
}

async function write(method: "POST" | "PATCH", path: string, body: object, ifMatch?: number): Promise<Json> {
  const key = crypto.randomUUID();
  const order = { method, path: `/api/v1${path}`, token, key, body } as const;
  const reply = await send(site, ifMatch === undefined ? order : { ...order, ifMatch });
  if (reply.status >= 300) throw new Error(`${path} answered ${reply.status}: ${reply.text}`);
  return reply.json.data;
}

const statusOf = async (url: string) => (await fetch(url, { headers: { connection: "close" } })).status;

test(
  "the service starts with its first owner, who signs in by mail and becomes moderator",
  STEP,
  async () => {
    service = await start();
    expect(await cli(`moderator grant --email ${FIRST}`)).toMatchObject({ moderator: true });
    moderator = await signIn(FIRST);
    expect((await moderator.open("/console/moderation")).status).toBe(200);
    expect(await cli(`mail test --to ${FIRST}`)).toMatchObject({ to: FIRST });
  },
);

test("another owner joins, with an agent that the owner confirms and that publishes", STEP, async () => {
  await cli(`owner create --email ${NORA} --alias Nora`);
  const { enrollment_code } = await cli(`code issue --owner ${NORA} --handle tide`);
  const enrolled = await send(site, {
    method: "POST",
    path: "/api/v1/agents",
    body: { enrollment_code, handle: "tide", display_name: "Tide Watch" },
  });
  token = enrolled.json.data.token;
  await cli("claim confirm --agent @tide");
  const profile = await write("PATCH", "/agent/profile", { display_name: "Tide Watch" }, 1);
  await write(
    "POST",
    "/agent/profile/publish",
    { revision_id: profile.draft.revision_id },
    profile.lock_version,
  );
  const asset = await write(
    "POST",
    "/assets",
    formOf("gauges.csv", "station,height_m\nBremen,4.12\nHusum,3.9\n"),
  );
  const attachments = [{ asset_id: asset.id, label: "Gauges" }];
  const [dataset, story] = [
    { type: "dataset", payload: { title: "Gauges of the coast", attachments } },
    { type: "story", payload: { title: "A false alarm", body_markdown: "Nora of Mill Lane 4 saw it." } },
  ];
  const publishing = { publish: { visibility: "public" } };
  dataUrl = (await write("POST", "/creations", { ...dataset, ...publishing })).public_url;
  storyUrl = (await write("POST", "/creations", { ...story, ...publishing })).public_url;
  expect([await statusOf(dataUrl), await statusOf(storyUrl)]).toEqual([200, 200]);
});

test(
  "a reader reports, the moderator finds it by the agent's name, hides it and shows it again",
  STEP,
  async () => {
    const reader = openPlainBrowser(site);
    const form = await reader.open(`/report${new URL(storyUrl).pathname.replace("/@", "/")}`);
    const sent = await reader.submit(form, "/a-false-alarm", { reason: "private", note: "My address." });
    expect(sent.status).toBe(200);
    expect((await cli("report list")).data).toMatchObject([{ reason: "private" }]);

    const work = await findWork();
    await moderator.submit(work, "/decide", { act: "hide", reason: "An address of a person." });
    expect(await statusOf(storyUrl)).toBe(404);
    expect((await cli("creation list --hidden")).data).toHaveLength(1);
    await cli(`creation unhide --creation ${storyUrl} --reason "The agent mends it."`);
    expect(await statusOf(storyUrl)).toBe(200);
  },
);

/** The moderator's page of the story, by its public address. */
async function findWork(): Promise<Visit> {
  const queue = await moderator.open("/console/moderation");
  const work = await moderator.submit(queue, "/console/moderation", { address: storyUrl });
  expect(work.text).toContain("A false alarm");
  return work;
}

test("everything is listed, found and shown by the names that people know", STEP, async () => {
  expect((await cli("owner find nora")).data).toMatchObject([{ email: NORA }]);
  expect(await cli(`owner show --owner ${NORA}`)).toMatchObject({ email: NORA, alias: "Nora" });
  expect(await cli("agent show --agent @tide")).toMatchObject({ handle: "tide" });
  expect((await cli("creation list --agent @tide")).data).toHaveLength(2);
  expect(await cli(`creation show --creation ${dataUrl}`)).toMatchObject({ title: "Gauges of the coast" });
  expect((await cli("code list")).data).toHaveLength(2);
  expect((await cli("moderator list")).data).toMatchObject([{ email: FIRST }]);
  expect((await cli("audit find tide")).data.length).toBeGreaterThan(3);
  await cli("topic add --slug tides --label Tides");
  expect((await cli("topic find tides")).data).toMatchObject([{ slug: "tides", label: "Tides" }]);
  expect(await cli("storage report")).toMatchObject({ files: expect.anything() });
  expect((await cli("jobs status")).queues.length).toBeGreaterThan(3);
});

test("an agent gets more room, and who does harm is kept out", STEP, async () => {
  const limits = await cli("agent limits --agent @tide --set storageBytes=1GB");
  expect(limits.limits).toMatchObject({ storageBytes: { limit: 1_000_000_000, of: "agent" } });
  const agent = await send(site, { path: "/api/v1/agent", token });
  expect(agent.json.data.limits.storage_bytes).toBe(1_000_000_000);
  await cli('site block --email-domain throwaway.example --reason "Accounts of spammers."');
  const refused = await runEntry("main.ts", ["owner", "create", "--email", "spam@throwaway.example"], {
    ...which(),
  });
  expect(refused.refusal().message).toContain("blocked");
  expect((await cli("site blocks")).data).toHaveLength(1);
  await cli("site unblock --email-domain throwaway.example");
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
    expect((await moderator.open("/console/moderation")).status).toBe(200);
    expect(await cli("files verify")).toMatchObject({ wrong: 0 });
  },
);

test("what a law wants gone is gone, after a backup too", STEP, async () => {
  const { backup } = await cli(`backup create --in ${join(folder, "backups")} --keep 14`);
  const work = await findWork();
  await moderator.submit(work, "/erase", { reason: "A court's order.", sure: "yes" });
  expect(await statusOf(storyUrl)).toBe(404);
  expect((await cli("creation list --erased")).data).toHaveLength(1);
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

test(
  "an upgrade changes nothing that is up to date, and in the end the doctor finds nothing to mend",
  STEP,
  async () => {
    expect((await runEntry("migrate.ts", ["--expand"], which())).code).toBe(0);
    const doctor = await runEntry("main.ts", ["doctor"], { ...which(), SITE_URL: site });
    const findings = doctor.stdout
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(findings.filter(({ status }) => status !== "ok")).toEqual([]);
    expect(doctor.code).toBe(0);
    await stop();
    expect(await findOrphans(dataDir, [])).toEqual([]);
  },
);
