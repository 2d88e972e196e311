import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Json } from "../support/agent.ts";
import { HARBOUR, writeFiles } from "./harbour.ts";
import { openStage, runClient, type Stage, unpackClient } from "./stage.ts";

const didOf = ({ json }: { json: Json }) =>
  Object.fromEntries(json.works.map(({ path, did, state }: Json) => [path, `${did} ${state}`]));
const writesOf = ({ requests }: Stage) => requests.filter(({ method }) => method !== "GET");
const stateOf = async (folder: string, { site }: Stage) =>
  JSON.parse(await readFile(join(folder, "broadsheet.json"), "utf8")).sites[site].works;

/** What the front page, and a work that was left alone, have as every work has it. */
const UNTOLD = { evidence: null, hints: [], warnings: [] };

/** A run that nobody answers, which asks again for some twenty seconds beside the tests. */
const unanswered = runClient(
  await unpackClient("http://127.0.0.1:9"),
  { PATH: process.env.PATH },
  await writeFiles(HARBOUR),
  ["publish", "."],
);

test("the example of the contract is published whole, and a second run writes nothing", async () => {
  const stage = await openStage();
  const folder = await writeFiles(HARBOUR);
  const tried = await stage.client(folder, "publish", ".", "--dry-run");
  expect([tried.exit, tried.json.dry_run, tried.json.errors]).toEqual([0, true, []]);
  expect(tried.json.not_checked).toContainEqual({
    path: "november-surge.md",
    field: "references.0.to",
    message: "It names what this run publishes first, and is checked then.",
  });
  expect((await stage.agent.get("/creations")).json.data).toEqual([]);

  const first = await stage.client(folder, "publish", ".");
  expect(first.json, first.stdout).toMatchObject({ ok: true, errors: [], ignored: [], drafts: [] });
  expect(didOf(first)).toEqual({
    "profile.yml": "created published",
    gauge: "created published",
    "november-surge.md": "created published",
    "high-water.md": "created published",
    "storms.collection.yml": "created published",
  });
  const [front] = first.json.works;
  expect(front).toMatchObject({ path: "profile.yml", revision_number: 1, ...UNTOLD });
  const story = first.json.works.find(({ path }: Json) => path === "november-surge.md");
  expect(story.evidence).toMatchObject({ figures: 1, charts_from_data: 1, holds: 2 });
  const known = await stateOf(folder, stage);
  expect(known.gauge).toMatchObject({
    type: "dataset",
    revision_number: 1,
    payload_sha256: expect.any(String),
  });
  expect(JSON.stringify(known)).not.toContain(stage.agent.token);

  stage.requests.length = 0;
  const second = await stage.client(folder, "publish", ".");
  expect(new Set(Object.values(didOf(second)))).toEqual(new Set(["unchanged published"]));
  expect(writesOf(stage)).toEqual([]);
  expect(stage.requests.filter(({ url }) => !url.startsWith("/api/v1/creations?")).length).toBeLessThan(3);
  expect(second.json.requests).toBe(stage.requests.length);

  // Without its broadsheet.json the folder takes its works up again.
  await rm(join(folder, "broadsheet.json"));
  const found = await stage.client(folder, "publish", ".");
  expect(new Set(Object.values(didOf(found)))).toEqual(new Set(["unchanged published"]));
  expect(await stateOf(folder, stage)).toMatchObject({ gauge: { id: known.gauge.id } });
  expect((await stage.client(folder, "publish", ".")).json.requests).toBe(second.json.requests);

  // Words that say the same to the site are no new revision, and are known the next time.
  const blank = (HARBOUR["november-surge.md"] ?? "").replace("gauges saw.", "gauges saw.   ");
  await writeFiles({ "november-surge.md": blank.replace(/summary: (.*)/, 'summary: "$1"') }, folder);
  const same = await stage.client(folder, "publish", ".");
  expect(new Set(Object.values(didOf(same)))).toEqual(new Set(["unchanged published"]));
  expect((await stage.client(folder, "publish", ".")).json.requests).toBe(second.json.requests);
});

test("data that grow are sent as an append, texts stay bound to theirs, and --rebind binds them anew", async () => {
  const stage = await openStage();
  const folder = await writeFiles(HARBOUR);
  await stage.client(folder, "publish", ".");
  const rows = `${HARBOUR["gauge/readings.csv"]}Husum,2026-11-20,5.01\n`;
  await writeFile(join(folder, "gauge/readings.csv"), rows);
  const grown = await stage.client(folder, "publish", ".");
  expect(didOf(grown)).toMatchObject({
    gauge: "updated published",
    "november-surge.md": "unchanged published",
  });
  expect(grown.json.works.find(({ path }: Json) => path === "gauge").rows_added).toBe(1);
  const { json } = await stage.agent.get(`/creations/${(await stateOf(folder, stage)).gauge.id}`);
  expect(json.data.latest_revision.change_summary).toBe("readings.csv: 1 row added.");

  const rebound = await stage.client(folder, "publish", ".", "--rebind");
  expect(rebound.json.errors).toEqual([
    expect.objectContaining({
      path: "november-surge.md",
      line: 8,
      message: expect.stringContaining("5.01 m"),
    }),
  ]);
  const text = (HARBOUR["november-surge.md"] ?? "").replaceAll("4.12 m", "5.01 m");
  await writeFile(join(folder, "november-surge.md"), text);
  const mended = await stage.client(folder, "publish", ".");
  expect(didOf(mended)).toMatchObject({ "november-surge.md": "updated published" });
  expect(didOf(await stage.client(folder, "publish", ".", "--rebind"))).not.toMatchObject({
    "november-surge.md": "updated published",
  });

  // A text whose bytes stay is bound to newer data that it bears out.
  await writeFile(join(folder, "gauge/readings.csv"), `${rows}Husum,2026-11-21,1.00\n`);
  await stage.client(folder, "publish", ".");
  const moved = await stage.client(folder, "publish", ".", "--rebind");
  expect(didOf(moved)).toMatchObject({ "november-surge.md": "updated published" });
  expect(moved.json.works.find(({ path }: Json) => path === "november-surge.md").evidence).toMatchObject({
    holds: 2,
  });
  expect(didOf(await stage.client(folder, "publish", ".", "--rebind"))).toMatchObject({
    "november-surge.md": "unchanged published",
  });
});

test("a revision of another hand is a conflict, until --force takes the folder's", async () => {
  const stage = await openStage();
  const folder = await writeFiles(HARBOUR);
  await stage.client(folder, "publish", ".");
  const { id, lock_version } = (await stateOf(folder, stage))["high-water.md"];
  const body = {
    changes: { set: { body_markdown: "Another hand." } },
    change_summary: "Other words.",
    publish: {},
  };
  await stage.agent.send("PATCH", `/creations/${id}`, body, { ifMatch: lock_version });
  stage.requests.length = 0;
  const refused = await stage.client(folder, "publish", ".");
  expect([refused.exit, refused.json.errors[0].code]).toEqual([3, "revision_changed"]);
  expect(writesOf(stage).filter(({ url }) => !url.endsWith("/check"))).toEqual([]);
  const forced = await stage.client(folder, "publish", ".", "--force");
  expect(didOf(forced)).toMatchObject({ "high-water.md": "updated published", gauge: "unchanged published" });
});

test("drafts, schedules, a work alone, and a work that left the folder", async () => {
  const stage = await openStage();
  const folder = await writeFiles(HARBOUR);
  const drafted = await stage.client(folder, "publish", ".", "--draft");
  expect(didOf(drafted)).toMatchObject({ gauge: "created draft", "profile.yml": "created draft" });
  const published = await stage.client(folder, "publish", ".");
  expect(didOf(published)).toMatchObject({ gauge: "updated published", "profile.yml": "created published" });
  await writeFiles({ "later.md": "---\ntitle: Later\n---\nLater.\n" }, folder);
  const when = ["--schedule", "2026-11-21T09:00:00Z", "--only", "later.md"];
  const none = await stage.client(folder, "publish", ".", "--only", "late.md");
  expect([none.exit, none.json.errors[0].message]).toEqual([
    2,
    "There is no work late.md in this folder; there are high-water.md, later.md, november-surge.md, storms.collection.yml, gauge.",
  ]);
  const late = await stage.client(folder, "publish", ".", "--schedule", "tomorrow", "--only", "later.md");
  expect(late.json.errors).toEqual([
    expect.objectContaining({ field: "schedule.publish_at", line: null, code: "validation_failed" }),
  ]);
  const publish_at = "2026-11-21T09:00:00Z";
  const tried = await stage.client(folder, "publish", ".", ...when, "--dry-run");
  expect(tried.json.works).toMatchObject([{ state: "scheduled", publish_at }]);
  const scheduled = await stage.client(folder, "publish", ".", ...when);
  expect(didOf(scheduled)).toEqual({ "later.md": "created scheduled" });
  expect(scheduled.json.works).toMatchObject([{ publish_at }]);
  await writeFiles({ "later.md": "---\ntitle: Later\n---\nMuch later.\n" }, folder);
  const again = await stage.client(folder, "publish", ".", ...when);
  expect(again.json.works).toMatchObject([{ did: "updated", state: "scheduled", publish_at, warnings: [] }]);
  await writeFiles({ "later.md": "---\ntitle: Later\n---\nNever mind when.\n" }, folder);
  const draft = await stage.client(folder, "publish", ".", "--draft", "--only", "later.md");
  expect(draft.json.works).toMatchObject([{ state: "draft", warnings: [{ code: "schedule_cancelled" }] }]);
  expect(didOf(await stage.client(folder, "publish", ".", ...when))).toEqual({
    "later.md": "updated scheduled",
  });
  await writeFile(join(folder, "high-water.md"), "---\ntype: brief\n---\nHigh water stood at 4.12 m.\n");
  const only = ["high-water.md", "--change-summary", "Shorter.", "--minor"];
  expect(didOf(await stage.client(folder, "publish", ...only))).toEqual({
    "high-water.md": "updated published",
  });
  await rm(join(folder, "high-water.md"));
  const left = await stage.client(folder, "publish", ".");
  expect(didOf(left)).toMatchObject({
    "high-water.md": "left_alone published",
    "later.md": "unchanged scheduled",
  });
  expect(left.json.works.find(({ did }: Json) => did === "left_alone")).toMatchObject(UNTOLD);
});

test("a section that the front page will not have is refused, and one that it will have is told as not checked", async () => {
  const stage = await openStage();
  const folder = await writeFiles(HARBOUR);
  const tell = (section: string) => ({
    "november-surge.md": (HARBOUR["november-surge.md"] ?? "").replace(
      "section: reports",
      `section: ${section}`,
    ),
  });
  const refusal = {
    path: "november-surge.md",
    line: 4,
    field: "section",
    message:
      "The published profile has no section report. It has none. Add it to sections of the profile, which is profile.yml for the client, and publish that first.",
  };
  for (const options of [["--dry-run"], []]) {
    await writeFiles(tell("report"), folder);
    const refused = await stage.client(folder, "publish", ".", ...options);
    expect([refused.exit, refused.json.errors]).toEqual([1, [expect.objectContaining(refusal)]]);
    expect((await stage.agent.get("/creations")).json.data).toEqual([]);
    await writeFiles(tell("reports"), folder);
    const taken = await stage.client(folder, "publish", ".", ...options);
    const isTold = taken.json.not_checked.some(({ field }: Json) => field === "section");
    expect([taken.exit, isTold]).toEqual([0, options.length > 0]);
    if (!isTold) expect(taken.json.not_checked).toEqual([]);
  }
  // A section that the live page has, and that of this run has no more.
  await writeFiles(
    { "profile.yml": "display_name: Tide Watch\nsections: []\n", ...tell("reports # kept") },
    folder,
  );
  await writeFiles({ "more.md": "---\ntitle: More\nsection: reports\n---\nWords.\n" }, folder);
  const lost = await stage.client(folder, "publish", ".");
  expect(lost.json.errors.map(({ path, line }: Json) => [path, line])).toEqual([["more.md", 3]]);

  await rm(join(folder, "more.md"));
  await writeFiles({ "poem.md": "---\ntitle: Poem\ntype: poem\n---\nWords.\n" }, folder);
  const poem = await stage.client(folder, "publish", ".");
  const found = poem.json.errors.map(({ path, line, field }: Json) => [path, line, field]);
  expect(found).toEqual([["poem.md", 3, "type"]]);
});

test("limits count first, another agent's folder and an unknown token end with their codes", async () => {
  const stage = await openStage({ limits: { publicationsPerDay: 2 } });
  const folder = await writeFiles(HARBOUR);
  const refused = await stage.client(folder, "publish", ".");
  expect([refused.exit, refused.json.errors[0].code]).toEqual([1, "publication_limit"]);
  expect((await stage.agent.get("/creations")).json.data).toEqual([]);
  stage.env.BROADSHEET_TOKEN = `bst_${"0".repeat(43)}`;
  const unknown = await stage.client(folder, "publish", ".");
  expect([unknown.exit, unknown.json.errors[0].hint]).toEqual([4, expect.stringContaining("enrol CODE")]);
  const { exit, json } = await unanswered;
  expect([exit, json.errors[0].code]).toEqual([5, "no_answer"]);
  expect((await stage.client(folder, "publsh", ".")).exit).toBe(2);
});
