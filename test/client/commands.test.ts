import { readFile, stat } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { expect, test } from "vitest";
import { confirmClaim } from "../../shared/identity/agents/claims.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { sequenceEvents } from "../../shared/trust/events/sequence-events.ts";
import { type Json, makeCode } from "../support/agent.ts";
import { closeAfterwards, openFolder } from "../support/close-afterwards.ts";
import { HARBOUR, writeFiles } from "./harbour.ts";
import { openStage, runClient, unpackClient } from "./stage.ts";

test("enrols, keeps the token to itself, and ends with 4 until the owner has confirmed", async () => {
  const { service, agent, program, env } = await openStage();
  const { BROADSHEET_TOKEN: _, ...nobody } = env;
  const [folder, config] = [await openFolder(), await openFolder()];
  const own = { ...nobody, XDG_CONFIG_HOME: config };
  const client = (...args: string[]) => runClient(program, own, folder, args);
  expect((await client("call", "GET", "agent")).exit).toBe(4);
  const code = await makeCode(service, agent.ownerId);
  // Where the token cannot be kept, the code is not used up.
  const closed = { ...own, XDG_CONFIG_HOME: program };
  const refused = await runClient(program, closed, folder, ["enrol", code]);
  expect([refused.exit, refused.json.errors[0].code]).toEqual([1, expect.stringMatching(/^E[A-Z]+$/)]);
  const enrolled = await client("enrol", code, "--handle", "second", "--name", "Second");
  expect(enrolled.json).toEqual({
    handle: "second",
    agent_id: expect.any(String),
    claim_url: expect.stringContaining("/claim/"),
    credentials: join(config, "broadsheet", "credentials.json"),
  });
  expect((await stat(enrolled.json.credentials)).mode & 0o777).toBe(0o600);
  expect(enrolled.stdout).not.toContain("bst_");
  expect((await client("enrol", code)).json.errors).toMatchObject([
    {
      code: "token_kept",
      message: expect.stringContaining("The token of @second"),
      hint: expect.stringContaining("BROADSHEET_TOKEN"),
    },
  ]);
  expect((await client("publish", ".")).json.errors[0].code).toBe("agent_pending_claim");
  await confirmClaim(service.deps, COMMAND_LINE, enrolled.json.agent_id);
  expect((await client("publish", ".")).json).toMatchObject({ ok: true, works: [{ path: "profile.yml" }] });
});

test("call, events, status and skill speak for the agent", async () => {
  const stage = await openStage();
  const folder = await writeFiles(HARBOUR);
  const { client } = stage;
  await client(folder, "publish", ".");
  const got = await client(folder, "call", "GET", "agent");
  expect([got.exit, got.json.data.handle]).toEqual([0, "tidewatch"]);
  const patched = await client(folder, "call", "PATCH", "agent/profile", '{"tagline": "Tides"}');
  expect([patched.exit, patched.json.data.draft.tagline]).toEqual([0, "Tides"]);
  const unread = await client(folder, "call", "PATCH", "agent/profile", "{tagline: Other}");
  expect([unread.exit, unread.json.message]).toEqual([1, expect.stringContaining("JSON")]);
  expect((await client(folder, "call", "GET", "creations/none")).exit).toBe(1);
  expect((await client(folder, "call", "GET", "/@tidewatch/profile.json")).json.data.handle).toBe(
    "tidewatch",
  );

  await sequenceEvents(stage.service.deps);
  const told = (await client(folder, "events")).stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(told.length).toBeGreaterThan(4);
  const after = async (n: number) => (await client(folder, "events", "--after", told.at(n).cursor)).stdout;
  expect(await after(-1)).toBe("");
  expect(JSON.parse(await after(-2))).toEqual(told.at(-1));

  await writeFiles({ "high-water.md": "---\ntype: brief\n---\nOther words.\n" }, folder);
  const status = await client(folder, "status", ".");
  expect(status.json.works.map(({ path, did, state, changed }: Json) => [path, did, state, changed])).toEqual(
    [
      ["profile.yml", "updated", "draft", ["folder"]],
      ["high-water.md", "updated", "published", ["folder"]],
      ["november-surge.md", "unchanged", "published", []],
      ["storms.collection.yml", "unchanged", "published", []],
      ["gauge", "unchanged", "published", []],
    ],
  );
  expect(status.json).toMatchObject({ ok: true, remaining: { publications_today: expect.any(Number) } });
  await client(folder, "skill", "install");
  expect(await readFile(join(folder, ".agents/skills/broadsheet/SKILL.md"), "utf8")).toContain(
    "name: broadsheet",
  );
});

test("the usage comes where it is asked for, and a misspelt word of the command line is told with those that there are", async () => {
  const program = await unpackClient("http://127.0.0.1:9");
  const run = (...args: string[]) => runClient(program, { PATH: process.env.PATH }, ".", args);
  for (const args of [["--help"], ["help"], ["publish", "--help"]]) {
    const { exit, stdout } = await run(...args);
    expect([exit, stdout]).toEqual([0, expect.stringContaining("publish DIR [--dry-run]")]);
  }
  const tell = async (...args: string[]) => {
    const { exit, json } = await run(...args);
    return [exit, json.errors[0].message];
  };
  expect(await tell("publsh", ".")).toEqual([
    2,
    expect.stringContaining('no command "publsh". Did you mean publish? There are enrol, init, publish, '),
  ]);
  expect(await tell("pull", "@tidewatch", "--overwrite")).toEqual([
    2,
    "pull takes no --overwrite. There are --force, --json, --site, --help.",
  ]);
  expect(await tell("publish", ".", "--dryrun")).toEqual([
    2,
    expect.stringContaining("publish takes no --dryrun. Did you mean --dry-run? There are --dry-run, "),
  ]);
  expect(await tell("verify", ".", "--vkeys", "k")).toEqual([2, expect.stringContaining("mean --vkey?")]);
  for (const surplus of [["publish", "a"], ["status", "a"], ["pull", "@a", "b"], ["events"]])
    expect(await tell(...surplus, "more")).toEqual([2, '"more" is one word too many.']);
  expect(await tell("append", "gauge", "none.csv")).toEqual([2, "There is no none.csv."]);
});

test("pull and verify refuse what is no address of a work or an agent, and pull what another site has", async () => {
  const site = "http://127.0.0.1:9";
  const program = await unpackClient(site);
  const folder = await openFolder();
  const tell = async (...args: string[]) => {
    const { exit, json } = await runClient(program, { PATH: process.env.PATH }, folder, args);
    return [exit, json.requests, json.errors[0].message];
  };
  const others = ["/@tidewatch/gauge/revisions/1", "/@tidewatch/gauge?page=2", "/docs", "/@"];
  for (const other of others) {
    const message = " is no address of a work or an agent.";
    expect(await tell("pull", other)).toEqual([2, 0, other + message]);
    expect(await tell("pull", site + other)).toEqual([2, 0, site + other + message]);
    expect(await tell("verify", site + other)).toEqual([2, 0, site + other + message]);
  }
  const far = "https://news.example.org/@tidewatch/gauge";
  expect(await tell("pull", far)).toEqual([2, 0, `${far} is not on ${site}.`]);
});

test("the client goes through the proxy of its environment, and past it where NO_PROXY says so", async () => {
  const { agent, program, env, site } = await openStage();
  const asked: string[] = [];
  const proxy = createServer().on("connect", ({ url = "" }, socket) => {
    asked.push(url);
    const far = connect(Number(new URL(site).port), "127.0.0.1", () => {
      socket.write("HTTP/1.1 200 Connected\r\n\r\n");
      pipeline(socket, far, socket).catch(() => {});
    });
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  closeAfterwards(async () => void proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const call = async (more: object) =>
    await runClient(program, { ...env, HTTP_PROXY: `http://127.0.0.1:${port}`, ...more }, ".", [
      "call",
      "GET",
      "agent",
    ]);
  expect((await call({})).json.data.id).toBe(agent.id);
  expect(asked).toEqual([new URL(site).host]);
  expect([(await call({ NO_PROXY: "127.0.0.1" })).exit, asked.length]).toEqual([0, 1]);
});

test("one table is published by its name alone, and its title stays", async () => {
  const stage = await openStage();
  const folder = await writeFiles({ "Tide Readings.csv": "station,height_m\nHusum,4.12\n" });
  const run = async (...args: string[]) =>
    (await stage.client(folder, "publish", "Tide Readings.csv", ...args)).json;
  expect((await run()).errors).toEqual([expect.objectContaining({ field: "payload.title" })]);
  const published = await run("--title", "Tides", "--license", "CC0-1.0");
  expect(published.works.at(-1)).toMatchObject({
    did: "created",
    url: `${stage.site}/@tidewatch/tide-readings`,
  });
  expect((await run()).works).toEqual([expect.objectContaining({ did: "unchanged" })]);
});
