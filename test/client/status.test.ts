import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Json } from "../support/agent.ts";
import { untilJobsAreDone } from "../support/service.ts";
import { HARBOUR, writeFiles } from "./harbour.ts";
import { openStage, type Stage } from "./stage.ts";

const workOf = ({ json }: { json: Json }, path: string) =>
  json.works.find((work: Json) => work.path === path);

const knownOf = async (folder: string, { site }: Stage) =>
  JSON.parse(await readFile(join(folder, "broadsheet.json"), "utf8")).sites[site].works;

const SURGE = "stories/november-surge.md";
const ROWS = "gauge/data/readings.csv";
const text = (HARBOUR["november-surge.md"] ?? "")
  .replaceAll("gauge/readings.csv", `../${ROWS}`)
  .replace("to: gauge", "to: ../gauge")
  .replace("summary:", "# Written by hand.\nsummary:");
const gauge = HARBOUR["gauge/datapackage.json"] ?? "";
/** The harbour with its text and its rows each in a folder below. */
const DEEPER = {
  "profile.yml": HARBOUR["profile.yml"] ?? "",
  "gauge/datapackage.json": gauge.replace('"readings.csv"', '"data/readings.csv"'),
  [ROWS]: HARBOUR["gauge/readings.csv"] ?? "",
  [SURGE]: text,
  "storms.collection.yml": `title: Storms\nentries: [${SURGE}, gauge]\n`,
};

test("status tells what no longer holds, and --rebind names the way that moves the text, which pull brings here", async () => {
  const stage = await openStage();
  const run = (...args: string[]) => stage.client(folder, ...args);
  const folder = await writeFiles(DEEPER);
  await run("publish", ".");
  await writeFiles({ [ROWS]: `${DEEPER[ROWS]}Husum,2026-11-20,5.01\n` }, folder);
  expect(workOf(await run("status", "."), "gauge")).toMatchObject({ did: "updated", changed: ["folder"] });
  await run("publish", ".");
  await untilJobsAreDone(stage.service);
  const status = await run("status", ".");
  expect(workOf(status, SURGE)).toMatchObject({
    ...{ did: "unchanged", changed: [], conflict: false },
    no_longer_holds: [
      { kind: "figure", n: 1, text: "4.12 m", state: "differs", value: "5.01 m", revision_number: 2 },
      { kind: "chart", n: 1, text: "Highest water by gauge", state: "differs" },
    ],
  });

  // By its own name a text is published alone, in the folder that knows it.
  expect((await run("publish", SURGE)).json.works).toMatchObject([{ path: SURGE, did: "unchanged" }]);
  const refused = await run("publish", ".", "--rebind");
  expect(refused.json.errors).toMatchObject([{ path: SURGE, field: "payload.figures.0.text" }]);
  const [, method, path, body] = /call (PATCH) (\S+) '([^']+)'/.exec(refused.json.errors[0].hint) ?? [];
  const moved = await run("call", `${method}`, `${path}`, `${body}`);
  expect([moved.exit, moved.json.rebound[0].new]).toEqual([0, "5.01 m"]);
  expect(moved.json.data.latest_revision.signature).toBeNull();
  expect(workOf(await run("status", "."), SURGE)).toMatchObject({ changed: ["site"], conflict: true });
  const pulled = await run("pull", `${stage.site}/@tidewatch/november-surge`, ".");
  expect([pulled.exit, pulled.json.works[0].did], pulled.stdout).toEqual([0, "pulled"]);
  const pulledText = await readFile(join(folder, SURGE), "utf8");
  expect(pulledText).toContain("stood at 5.01 m");
  expect(pulledText).toContain("to: ../gauge");
  expect(pulledText).toContain("# Written by hand.");
  expect(pulledText).toContain(`"file": "../${ROWS}"`);
  expect(pulledText).not.toMatch(/asset_id|creation_id/);
  expect(Object.keys((await knownOf(folder, stage))[SURGE].from)).toEqual([ROWS]);
  const again = await run("publish", ".");
  expect(new Set(again.json.works.map(({ did }: Json) => did)), again.stdout).toEqual(new Set(["unchanged"]));
  expect((await run("pull", "@tidewatch", ".")).json.works.map(({ did }: Json) => did)).toEqual(
    Array.from({ length: 3 }, () => "unchanged"),
  );

  // A file with changes that nobody published stays.
  await writeFiles({ [SURGE]: pulledText.replace("The highest", "The very highest") }, folder);
  const kept = await run("pull", "@tidewatch/november-surge", ".");
  expect([kept.exit, kept.json.errors[0].code]).toEqual([3, "file_differs"]);
});

test("a revision that says what the folder says is no conflict, whoever made it", async () => {
  const stage = await openStage();
  const run = (...args: string[]) => stage.client(folder, ...args);
  const folder = await writeFiles(HARBOUR);
  await run("publish", ".");
  const brief = "high-water.md";
  const { id } = (await knownOf(folder, stage))[brief];
  const { json } = await stage.agent.get(`/creations/${id}`);
  const first = json.data.latest_revision.id;
  await writeFiles({ [brief]: "---\ntype: brief\n---\nOther words.\n" }, folder);
  await run("publish", ".");
  const restore = { revision_id: first, change_summary: "As before." };
  const ifMatch = (await knownOf(folder, stage))[brief].lock_version;
  expect((await stage.agent.send("POST", `/creations/${id}/restore`, restore, { ifMatch })).status).toBe(200);
  expect(workOf(await run("status", "."), brief)).toMatchObject({ changed: ["site"], conflict: true });
  await writeFiles({ [brief]: HARBOUR[brief] ?? "" }, folder);
  expect(workOf(await run("status", "."), brief)).toMatchObject({
    ...{ did: "unchanged", changed: [], conflict: false },
  });
  expect((await run("publish", ".")).exit).toBe(0);

  await writeFiles({ "a.md": "---\ntitle: A\ntitle: B\n---\n" }, folder);
  const faulty = await run("status", ".");
  expect([faulty.exit, faulty.json.ok, faulty.json.errors[0].path]).toEqual([1, false, "a.md"]);
});
