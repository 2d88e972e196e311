import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sweepAgedFiles } from "../../shared/datasets/uploads/discard-files.ts";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { runCreationCommand } from "../../shared/works/creations/take-down.ts";
import { connectAgent, type Json } from "../support/agent.ts";
import { openFolder } from "../support/close-afterwards.ts";
import { HARBOUR, writeFiles } from "./harbour.ts";
import { openStage, type Stage } from "./stage.ts";

const story = (title: string, matter = "", body = "Words.") =>
  `---\ntitle: ${title}\n${matter}---\n${body}\n`;
const didOf = ({ json }: { json: Json }) =>
  Object.fromEntries(json.works.map(({ path, did, state }: Json) => [path, `${did} ${state}`]));
const errorsOf = ({ json }: { json: Json }) =>
  json.errors.map(({ path, line, field }: Json) => [path, line, field].join(" "));
const stateOf = async (folder: string, { site }: Stage) =>
  JSON.parse(await readFile(join(folder, "broadsheet.json"), "utf8")).sites[site].works;

test("a first run with nothing to publish says why each file is none, and what is refused is not told as published", async () => {
  const stage = await openStage();
  const notes = { "README.md": "# A\n", "notes.md": "Words.\n", "a.txt": "a" };
  const folder = await writeFiles(notes);
  const { exit, json } = await stage.client(folder, "publish", ".");
  expect([exit, json.works, json.errors]).toMatchObject([1, [], [{ code: "nothing_to_publish" }]]);
  expect(json.errors[0].message).toBe(
    "There is nothing to publish: README.md is never published, a.txt is in no datapackage.json or files.yml, notes.md has no front matter.",
  );
  const writes = stage.requests.filter(({ method, url }) => method !== "GET" && !url.endsWith("/check"));
  expect(writes).toEqual([]);
  await writeFiles({ "a.md": story("A", "summry: B\n") }, folder);
  const refused = await stage.client(folder, "publish", ".");
  expect([refused.exit, refused.json.works, errorsOf(refused)]).toEqual([1, [], ["a.md 3 payload.summry"]]);
  await writeFiles({ "a.md": story("A") }, folder);
  await stage.client(folder, "publish", ".");
  const empty = await stage.client(await openFolder(), "publish", ".");
  expect([empty.exit, empty.json.errors[0].message]).toEqual([
    1,
    "There is nothing to publish: the folder is empty.",
  ]);
});

test("a fault in a text is told with its line, in the block of a chart with that of what its sentence names", async () => {
  const stage = await openStage();
  const [surge = "", gauge = "", rows = ""] = [
    "november-surge.md",
    "gauge/datapackage.json",
    "gauge/readings.csv",
  ].map((path) => HARBOUR[path]);
  const matter = surge.replace("section: reports\n", "");
  const folder = await writeFiles({ "gauge/datapackage.json": gauge, "gauge/readings.csv": rows });
  const fence = matter.split("\n").indexOf("```chart") + 1;
  const faults: [string, string, number][] = [
    ['"bar"', '"bra"', 1],
    ['{ "column": "station" }', '{ "column": "sttion" }', 2],
    ['"op": "max", "column": "height_m", "as"', '"op": "maxx", "column": "height_m", "as"', 3],
    ['"field": "highest"', '"field": "higest"', 4],
    ['by gauge",', 'by gauge"', 2],
  ];
  for (const [right, wrong, below] of faults) {
    await writeFiles({ "november-surge.md": matter.replace(right, wrong) }, folder);
    const refused = await stage.client(folder, "publish", ".", "--dry-run");
    const place = `november-surge.md ${fence + below} payload.body_markdown`;
    expect([wrong, errorsOf(refused)]).toEqual([wrong, [place]]);
  }
  const words = story("A", "", '[Here](javascript:a)\n\nNothing.\n\nIt is "" there.');
  const other = await stage.client(await writeFiles({ "a.md": words }), "publish", ".", "--dry-run");
  expect(errorsOf(other)).toEqual(["a.md 4 payload.body_markdown"]);
});

test("a work that moves to another path is known there, and one whose slug or type changes is refused", async () => {
  const stage = await openStage();
  const run = (...args: string[]) => stage.client(folder, ...args);
  const rows = { "gauge/readings.csv": HARBOUR["gauge/readings.csv"] ?? "" };
  const folder = await writeFiles({
    ...{ "a.md": story("A"), "b.md": story("B"), ...rows },
    "gauge/datapackage.json": HARBOUR["gauge/datapackage.json"] ?? "",
  });
  await run("publish", ".");
  const { id, lock_version } = (await stateOf(folder, stage))["a.md"];
  await rm(join(folder, "a.md"));
  await rm(join(folder, "gauge"), { recursive: true });
  await writeFiles({ "texts/a.md": story("A"), "data/readings.csv": rows["gauge/readings.csv"] }, folder);
  await writeFiles({ "data/datapackage.json": HARBOUR["gauge/datapackage.json"] ?? "" }, folder);
  stage.requests.length = 0;
  const moved = {
    "b.md": "unchanged published",
    "texts/a.md": "unchanged published",
    data: "unchanged published",
  };
  expect(didOf(await run("publish", "."))).toEqual(moved);
  expect(stage.requests.filter(({ url }) => url.endsWith("/assets"))).toEqual([]);
  expect(Object.keys(await stateOf(folder, stage)).toSorted()).toEqual(["b.md", "data", "texts/a.md"]);
  // What another hand wrote is not replaced from the new path.
  const body = { changes: { set: { title: "Other" } }, change_summary: "Other.", publish: {} };
  await stage.agent.send("PATCH", `/creations/${id}`, body, { ifMatch: lock_version });
  await rm(join(folder, "texts"), { recursive: true });
  await writeFiles({ "again/a.md": story("Mine") }, folder);
  const other = await run("publish", ".");
  expect([other.exit, other.json.errors[0].hint]).toEqual([
    3,
    expect.stringContaining(
      "pull @tidewatch/a . --force takes the site's revision, publish --force the folder's.",
    ),
  ]);
  await rm(join(folder, "again"), { recursive: true });

  stage.requests.length = 0;
  await writeFiles({ "b.md": story("B", "slug: c\n") }, folder);
  expect(errorsOf(await run("publish", "."))).toEqual(["b.md 3 slug"]);
  await writeFiles({ "b.md": "---\ntype: brief\n---\nB.\n" }, folder);
  const brief = await run("publish", ".");
  expect(brief.json.errors[0].message).toBe(
    "This is the story b on the site, which it stays; give a new work another path.",
  );
  expect(stage.requests.filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a file that the site deleted since is sent again", async () => {
  const stage = await openStage();
  const { "gauge/datapackage.json": pack = "", "gauge/readings.csv": rows = "" } = HARBOUR;
  const folder = await writeFiles({ "gauge/datapackage.json": pack, "gauge/readings.csv": rows });
  await stage.client(folder, "publish", ".");
  const state = await readFile(join(folder, "broadsheet.json"));
  await writeFile(join(folder, "gauge/readings.csv"), rows.split("\n").slice(0, 3).join("\n"));
  await stage.client(folder, "publish", ".");
  await writeFile(join(folder, "broadsheet.json"), state);
  await writeFile(join(folder, "gauge/readings.csv"), rows);
  stage.service.clock.nowMs += 31 * 86_400_000;
  expect(await sweepAgedFiles(stage.service.deps)).toBe(1);
  const { exit, stdout, json } = await stage.client(folder, "publish", ".", "--force");
  expect([exit, didOf({ json })], stdout).toEqual([0, { gauge: "updated published" }]);
});

test("what was saved without all that it names is saved whole by the next run, or refused again", async () => {
  const stage = await openStage();
  const to = (path: string) => `{ to: ${path}, relation: uses }`;
  const folder = await writeFiles({
    "a.md": story("A", `references: [${to("b.md")}, ${to("b.md")}]\n`),
    "b.md": story("B", `references: [${to("a.md")}]\n`),
  });
  for (const _ of ["first", "second"]) {
    const refused = await stage.client(folder, "publish", ".");
    expect([refused.exit, refused.json.errors.length > 0], refused.stdout).toEqual([1, true]);
    expect((await stage.agent.get("/creations?visibility=public")).json.data).toEqual([]);
  }
  await writeFile(join(folder, "a.md"), story("A", `references: [${to("b.md")}]\n`));
  expect(didOf(await stage.client(folder, "publish", "."))).toEqual({
    "a.md": "updated published",
    "b.md": "updated published",
  });
});

test("a text names another agent's dataset as a work and as its file by one address", async () => {
  const stage = await openStage();
  const other = await connectAgent(stage.service, { handle: "gauger" });
  const { "gauge/datapackage.json": pack = "", "gauge/readings.csv": rows = "" } = HARBOUR;
  const far = await writeFiles({ "gauge/datapackage.json": pack, "gauge/readings.csv": rows });
  stage.env.BROADSHEET_TOKEN = other.token;
  await stage.client(far, "publish", ".");
  stage.env.BROADSHEET_TOKEN = stage.agent.token;
  const address = `${stage.site}/@gauger/gauge`;
  const from = `from: { file: "${address}", aggregate: [{ op: max, column: height_m }] }`;
  const matter = `references: [{ to: "${address}", relation: uses }]\nfigures: [{ text: "4.12", ${from} }]\n`;
  const folder = await writeFiles({ "a.md": story("A", matter, "It stood at 4.12.") });
  expect(didOf(await stage.client(folder, "publish", "."))).toMatchObject({ "a.md": "created published" });
  expect(didOf(await stage.client(folder, "publish", "."))).toEqual({ "a.md": "unchanged published" });
});

test("a broadsheet.json that cannot be read is told with what mends it, and one without sites is none", async () => {
  const stage = await openStage();
  const folder = await writeFiles({ "a.md": story("A"), "broadsheet.json": "<<<<<<< HEAD\n" });
  const broken = await stage.client(folder, "publish", ".");
  expect([broken.exit, broken.json.errors]).toMatchObject([
    1,
    [
      {
        code: "unreadable",
        path: "broadsheet.json",
        message: expect.stringContaining("Bring it back as it was"),
      },
    ],
  ]);
  await writeFile(join(folder, "broadsheet.json"), "{}");
  expect(didOf(await stage.client(folder, "publish", "."))).toMatchObject({ "a.md": "created published" });
  await writeFiles({ "a.md": story("A", "visibility: unlisted\n") }, folder);
  const told = await stage.client(folder, "status", ".");
  expect(didOf(told)).toEqual({ "a.md": "updated published" });
});

test("a time of the front matter is held against the site's clock, not that of the machine", async () => {
  const stage = await openStage();
  const { app, clock } = stage.service;
  app.server.prependListener("request", (_, answer) => {
    answer.setHeader("date", new Date(clock.nowMs).toUTCString());
  });
  const at = (days: number) => new Date(clock.nowMs + days * 86_400_000).toISOString();
  const folder = await writeFiles({
    "late.md": story("Late", `schedule: ${at(1)}\n`),
    "past.md": story("Past", `schedule: ${at(-1)}\n`),
  });
  for (const days of [20, -20]) {
    stage.env.NODE_OPTIONS = `--import data:text/javascript,Date.now=()=>${Date.parse(at(days))}`;
    const { json, stdout } = await stage.client(folder, "publish", ".");
    const states = json.works.map(({ path, state }: Json) => [path, state]);
    expect(Object.fromEntries(states), stdout).toMatchObject({
      "late.md": "scheduled",
      "past.md": "published",
    });
  }
});

test("a work that readers do not have is not told as published, and what cannot be read is named", async () => {
  const stage = await openStage();
  const folder = await writeFiles({ "a.md": story("A") });
  await stage.client(folder, "publish", ".");
  const { id } = (await stateOf(folder, stage))["a.md"];
  await runCreationCommand(stage.service.deps, COMMAND_LINE, id, "hide");
  expect(didOf(await stage.client(folder, "publish", "."))).toEqual({ "a.md": "unchanged draft" });
  await writeFiles({ "b.md": story("B") }, folder);
  await rm(join(folder, "broadsheet.json"));
  await mkdir(join(folder, "broadsheet.json"));
  const { exit, json } = await stage.client(folder, "publish", ".");
  expect([exit, json.errors]).toMatchObject([1, [{ path: "broadsheet.json", code: "unreadable" }]]);
});

test("a mark of nothing is told with its file at each publication, until the package names it", async () => {
  const stage = await openStage();
  const packageWith = (missingValues: string[]) =>
    JSON.stringify({
      title: "Gauge",
      resources: [{ path: "t.csv", title: "T", schema: { missingValues, fields: [{ name: "height_m" }] } }],
    });
  const folder = await writeFiles({
    "gauge/datapackage.json": packageWith([""]),
    "gauge/t.csv": "height_m\n3.1\nNA\n-999\n",
  });
  const hintsOf = async (missingValues: string[]) => {
    await writeFiles({ "gauge/datapackage.json": packageWith(missingValues) }, folder);
    const { exit, json } = await stage.client(folder, "publish", ".");
    const { hints, warnings } = json.works.find(({ path }: Json) => path === "gauge");
    expect([exit, warnings]).toEqual([0, []]);
    return hints.map(({ code, file }: Json) => `${code} ${file}`);
  };
  const told = ["missing_value_marks gauge/t.csv"];
  expect(await hintsOf([""])).toEqual(told);
  expect(await hintsOf(["", "NA"])).toEqual(told);
  expect(await hintsOf(["", "NA", "-999"])).toEqual([]);
});
