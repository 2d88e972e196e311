import { randomUUID } from "node:crypto";
import { rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { choosePort } from "../../cli/embedded/port.ts";
import { runEntry } from "../support/command.ts";
import { DEEP } from "../support/depth.ts";
import { expectLogLines, lifeOf, requestsOf } from "../support/process-lines.ts";
import {
  findOrphans,
  identifyService,
  type ServiceProcess,
  startProcess,
  until,
} from "../support/service-process.ts";

const START = join(import.meta.dirname, "..", "..", "cli", "start.ts");

let env: NodeJS.ProcessEnv = {};
let dataDir = "";
let site = "";
let started: ServiceProcess[] = [];

/** Where npm start works from now on, and at which port. */
async function settleIn(folder: string): Promise<void> {
  dataDir = folder;
  const port = String(await choosePort());
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  env = { PATH, NODE_COMPILE_CACHE, DATA_DIR: dataDir, PORT: port };
  site = `http://localhost:${port}`;
  started = [];
}

async function moveOut(): Promise<void> {
  for (const { child, ended } of started) {
    child.kill("SIGKILL");
    await ended;
  }
  expect(await findOrphans(dataDir, [])).toEqual([]);
  await rm(dataDir, { recursive: true, force: true });
}

/** The service on this test's data folder, as npm start runs it. */
function start(more: NodeJS.ProcessEnv = {}): ServiceProcess {
  const service = startProcess({ command: process.execPath, args: [START], env: { ...env, ...more } });
  started.push(service);
  return service;
}

function textOf(service: ServiceProcess): string {
  return service.lines.map((line) => line.text).join("\n");
}

async function startReady() {
  const service = start();
  const ready = () => textOf(service).includes("Broadsheet is ready at");
  await until(() => ready() || service.child.exitCode !== null, 60_000);
  expect({ ready: ready(), stderr: ready() ? "" : service.stderr() }).toEqual({ ready: true, stderr: "" });
  const api = Number((await service.said("api listening")).pid);
  const workers = Number((await service.said("workers ready")).pid);
  return { service, ...(await identifyService(dataDir, service.pid, [api, workers])) };
}

/** A browser with one cookie. */
async function open(url: string, cookie: string | null = null, form: Record<string, string> | null = null) {
  const response = await fetch(url, {
    method: form === null ? "GET" : "POST",
    redirect: "manual",
    headers: { origin: site, ...(cookie === null ? {} : { cookie }) },
    body: form === null ? undefined : new URLSearchParams(form),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** An agent's file comes through the API and the workers, whichever user runs them, and belongs to that user. */
async function uploadsFile(authorization: string): Promise<void> {
  const body = new FormData();
  body.set("file", new File(["a,b\n1,2\n"], "heights.csv"));
  const headers = { authorization, "idempotency-key": randomUUID() };
  const uploaded = await fetch(`${site}/api/v1/assets`, { method: "POST", headers, body });
  expect(uploaded.status).toBe(201);
  const { data } = (await uploaded.json()) as { data: { id: string } };
  const address = `${site}/api/v1/assets/${data.id}`;
  const readiness = async () => {
    const { data: now } = (await (await fetch(address, { headers: { authorization } })).json()) as {
      data: { readiness: string };
    };
    return now.readiness;
  };
  await until(async () => (await readiness()) === "ready", 30_000);
  const [api] = started.flatMap(({ lines }) => lines.filter(({ msg }) => msg === "api listening"));
  const file = await stat(join(dataDir, "files", data.id.slice(-2), data.id));
  const runner = await stat(`/proc/${api?.pid}`).catch(() => null);
  if (runner !== null) expect(file.uid).toBe(runner.uid);
}

function csrfOf(page: { text: string }): string {
  return /name="csrf" value="([^"]+)"/.exec(page.text)?.[1] ?? "";
}

// One service on one data folder, from its first start to its last: each start takes 5 s of the processor, and a folder of
// its own as much again.
describe("npm start on an empty data folder", { timeout: 360_000 }, () => {
  let running: Awaited<ReturnType<typeof startReady>>;

  beforeAll(async () => {
    await settleIn(await makeTemporaryDataFolder("broadsheet-test-"));
    running = await startReady();
  });
  afterAll(moveOut);

  test("tells a first start's code and link, by which an owner connects an agent", async () => {
    const { service } = running;
    const link = /http\S+\/sign-in\/[\w-]{43}/.exec(textOf(service))?.[0] ?? "";
    const code = /bse_[\w-]+/.exec(textOf(service))?.[0] ?? "";
    expect(textOf(service)).toContain("owner@localhost.localdomain");

    const body = JSON.stringify({ enrollment_code: code, handle: "first-agent" });
    const headers = { "content-type": "application/json" };
    const enrolled = await fetch(`${site}/api/v1/agents`, { method: "POST", headers, body });
    expect(enrolled.status).toBe(201);
    const { data } = (await enrolled.json()) as { data: { claim_url: string; token: string } };

    // Looking at the link, as a mail scanner does, uses nothing up.
    await open(link);
    const signedIn = await open(link, null, { csrf: csrfOf(await open(link)) });
    expect(signedIn.status).toBe(303);
    const cookie = signedIn.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    expect(signedIn.headers.getSetCookie()[0]).toMatch(/^__Host-bs=.*; HttpOnly; Secure; SameSite=Lax/);
    expect((await open(link)).status).toBe(404);

    const claim = await open(data.claim_url, cookie);
    expect(claim.text).toContain("@first-agent");
    expect((await open(data.claim_url, cookie, { csrf: csrfOf(claim) })).status).toBe(303);
    const dashboard = await open(`${site}/console`, cookie);
    expect(dashboard.text).toContain("@first-agent");
    const issued = await open(`${site}/console/codes`, cookie, { csrf: csrfOf(dashboard) });
    expect(issued.text).toMatch(/bse_[0-9A-Z-]{27}/);
    const authorization = `Bearer ${data.token}`;
    expect((await fetch(`${site}/api/v1/creations`, { headers: { authorization } })).status).toBe(200);
    await uploadsFile(authorization);
  });

  test("answers commands", async () => {
    const { queues } = (await runEntry("main.ts", ["jobs", "status"], env)).json();
    expect(queues).toEqual(expect.arrayContaining([expect.objectContaining({ queue: "inspect-asset" })]));
    const wanted = ["owner", "create", "--email", "nora@example.org"];
    expect((await runEntry("main.ts", wanted, env)).json()).toMatchObject({ email: "nora@example.org" });
    // This command's own port is another one: the running service says where its site is.
    const link = ["owner", "sign-in-link", "--email", "nora@example.org"];
    const { url } = (await runEntry("main.ts", link, { ...env, PORT: "1" })).json();
    expect(url).toMatch(new RegExp(`^${site}/sign-in/`));
    expect((await open(`${site}/readyz`)).status).toBe(200);
  });

  test("writes a line for each request, without its query, its token and its sender", async () => {
    const { lines } = running.service;
    const seen = lines.length;
    const authorization = `Bearer bst_${"7".repeat(46)}`;
    const headers = { authorization, "x-forwarded-for": "203.0.113.9" };
    const asked = await fetch(`${site}/api/v1/agent?t0ps3cret=t0ps3cret`, { headers });
    // The second answer comes from the cache.
    for (let turn = 0; turn < 2; turn++) await open(`${site}/docs/limits?t0ps3cret=1`);
    await open(`${site}/healthz`);
    await open(`${site}/no/such/t0ps3cret`);
    const written = () => requestsOf(lines.slice(seen));
    await until(() => written().length >= 4, 10_000);
    expect(written()).toEqual([
      { method: "GET", route: "/api/v1/agent", status: 401, caller: "public" },
      { method: "GET", route: "/docs/:page", status: 200, caller: "public" },
      { method: "GET", route: "/docs/:page", status: 200, caller: "public" },
      { method: "GET", route: "none", status: 404, caller: "public" },
    ]);
    const callers = new Set(requestsOf(lines).map(({ route, caller }) => `${route} ${caller}`));
    for (const known of ["/api/v1/assets agent", "/console owner", "/api/v1/agents public"])
      expect([...callers]).toContain(known);
    const texts = lines.slice(seen).map(({ text }) => text);
    expect(texts.join("\n")).not.toMatch(/t0ps3cret|bst_7|203\.0\.113\.9|127\.0\.0\.1/);
    const [line] = lines.slice(seen).filter(({ route }) => route === "/api/v1/agent");
    expect(line).toMatchObject({ request_id: asked.headers.get("x-request-id") });
    expect(line?.took_ms).toBeGreaterThanOrEqual(0);
  });

  test("stops in order and leaves nothing running", async () => {
    running.service.child.kill("SIGINT");
    expect(await running.service.ended).toEqual({ code: 0, signal: null });
    expect(running.all).toHaveLength(5);
    expect(await findOrphans(dataDir, running.all)).toEqual([]);
  });

  test("every line of its processes was one of a log, and each process told of its life", () => {
    const { lines } = running.service;
    const errors = running.service.stderr().split("\n").filter(Boolean);
    expectLogLines([...lines, ...errors.map((text) => ({ ...JSON.parse(text), text }))]);
    expect(lifeOf(lines, "api")).toEqual(["api starting", "api listening", "api stopping", "api stopped"]);
    expect(lifeOf(lines, "workers")).toEqual([
      ...["workers starting", "workers ready", "workers stopping", "workers stopped"],
    ]);
    expect(lifeOf(lines, "start")).toEqual(["stopping", "stopped"]);
  });

  test("tells code and link never again, and leaves nothing running when it is killed", async () => {
    const { service, all } = await startReady();
    expect(textOf(service)).not.toMatch(/bse_|sign-in\/|This is the first start/);
    service.child.kill("SIGKILL");
    expect(await service.ended).toEqual({ code: null, signal: "SIGKILL" });
    expect(await findOrphans(dataDir, all)).toEqual([]);
  });

  test.each(DEEP ? ["warn", "error", "fatal", "silent"] : [])(
    "recovers, and is ready at the log level %s, which writes no line that says so",
    async (level) => {
      const service = start({ LOG_LEVEL: level });
      await until(() => textOf(service).includes(`Broadsheet is ready at ${site}`), 60_000);
      expect(textOf(service)).not.toMatch(/api listening|This is the first start/);
      expect((await open(`${site}/readyz`)).status).toBe(200);
      service.child.kill("SIGTERM");
      expect(await service.ended).toEqual({ code: 0, signal: null });
    },
  );
});
