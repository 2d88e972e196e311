import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startSweeps } from "../../workers/runner.ts";
import type { Json } from "../support/agent.ts";
import { openFolder } from "../support/close-afterwards.ts";
import { HARBOUR, writeFiles } from "./harbour.ts";
import { openStage, runClient, type Stage, unpackClient } from "./stage.ts";

/** Its key has no field. */
const TIDE = {
  title: "Tide",
  description: "One row.",
  resources: [
    { path: "tide.csv", title: "Tide", schema: { primaryKey: ["day"], fields: [{ name: "n", unit: "m" }] } },
  ],
};

/** Every work with its payload, where ids and hashes of texts are those of the same work of another service. */
async function listPayloads({ agent }: Stage): Promise<Record<string, Json>> {
  const { json } = await agent.get("/creations");
  const works = await Promise.all(json.data.map(({ id }: Json) => agent.get(`/creations/${id}`)));
  const found = works.map((work) => work.json.data);
  const names = found.flatMap(({ id, slug, latest_revision }: Json) => [
    [id, slug],
    ...latest_revision.files.map((file: Json) => [file.asset_id, file.filename]),
  ]);
  return Object.fromEntries(
    found.map(({ slug, latest_revision: { payload, files, section } }: Json) => {
      const text = names.reduce((all, [id, name]) => all.replaceAll(id, name), JSON.stringify(payload));
      return [
        slug,
        { payload: JSON.parse(text), section, hashes: files.map((file: Json) => file.content_sha256) },
      ];
    }),
  );
}

test("what is pulled and published to a second service is equal, and an own pulled folder is unchanged", async () => {
  const [one, two] = [await openStage(), await openStage()];
  const files = {
    ...HARBOUR,
    "method/files.yml": "title: Method\nattachments: [{ path: notes.md, label: Notes }]\n",
    "method/notes.md": "# Notes\n",
    "map.project.yml": "title: Map\nexternal_url: https://maps.example.net/surge\n",
    "tide/datapackage.json": JSON.stringify(TIDE),
    "tide/tide.csv": "day,n\n2026-11-18,1\n",
  };
  const first = await one.client(await writeFiles(files), "publish", ".");
  expect(first.exit, first.stdout).toBe(0);

  const own = await openFolder();
  const apart = await one.client(own, "pull", `${one.site}/@tidewatch/gauge`, "apart/here");
  expect([apart.exit, apart.json.works[0].path]).toEqual([0, "gauge"]);
  await rm(join(own, "apart"), { recursive: true });
  const pulled = await one.client(own, "pull", "@tidewatch", ".");
  expect([pulled.exit, pulled.json.errors, pulled.json.works.length]).toEqual([0, [], 7]);
  expect(await readFile(join(own, "november-surge.md"), "utf8")).toContain('"file": "gauge/readings.csv"');
  const again = await one.client(own, "publish", ".");
  expect(new Set(again.json.works.map(({ did }: Json) => did)), again.stdout).toEqual(new Set(["unchanged"]));

  const profile = { "profile.yml": HARBOUR["profile.yml"] ?? "" };
  const published = await two.client(await writeFiles(profile, own), "publish", ".");
  expect(published.exit, published.stdout).toBe(0);
  expect(await listPayloads(two)).toEqual(await listPayloads(one));

  // Somebody without a token has the public JSON alone, which has no sections of their own and its own form of questions.
  const open = await openFolder();
  const { BROADSHEET_TOKEN: _, ...nobody } = one.env;
  const read = await runClient(one.program, nobody, open, ["pull", `${one.site}/@tidewatch`, "."]);
  expect([read.exit, read.json.errors, read.json.works.length]).toEqual([0, [], 7]);
  expect(await readFile(join(open, "november-surge.md"), "utf8")).toContain("- text: 4.12 m\n    unit: m\n");
  expect((await one.client(open, "publish", ".", "--dry-run")).exit).toBe(0);

  await writeFiles({ "gauge/readings.csv": "station,day,height_m\n" }, own);
  const differs = await one.client(own, "pull", "@tidewatch/gauge", ".");
  expect([differs.exit, differs.json.errors[0]]).toMatchObject([3, { path: "gauge/readings.csv" }]);
  expect(await unpackClient(one.site)).toContain("main.js");
});

test("rows are appended to the site and to the folder's file, once", async () => {
  const stage = await openStage();
  const sweeps = startSweeps(stage.service, ["inspect"]);
  onTestFinished(() => sweeps.stop());
  const folder = await writeFiles(HARBOUR);
  await stage.client(folder, "publish", ".");
  await writeFiles({ "more.csv": "station,day,height_m\nHusum,2026-11-20,3.90\n" }, stage.env.HOME);
  const rows = join(stage.env.HOME ?? "", "more.csv");
  const known = await readFile(join(folder, "broadsheet.json"), "utf8");
  const appended = await stage.client(folder, "append", "gauge", rows);
  expect(appended.json, appended.stdout).toMatchObject({
    ok: true,
    works: [{ path: "gauge", rows: 3, rows_added: 1 }],
  });
  expect(await readFile(join(folder, "gauge/readings.csv"), "utf8")).toBe(
    `${HARBOUR["gauge/readings.csv"]}Husum,2026-11-20,3.90\n`,
  );
  // Killed before the file or broadsheet.json was written, the same call takes up its answer.
  const before = { "broadsheet.json": known, "gauge/readings.csv": HARBOUR["gauge/readings.csv"] ?? "" };
  for (const left of [before, { "broadsheet.json": known }]) {
    await writeFiles(left, folder);
    const again = await stage.client(folder, "append", "gauge", rows);
    expect(again.json, again.stdout).toMatchObject({
      ok: true,
      works: [{ did: "unchanged", revision_number: 2 }],
    });
    expect((await readFile(join(folder, "gauge/readings.csv"), "utf8")).match(/11-20/g)).toHaveLength(1);
  }
  stage.requests.length = 0;
  const second = await stage.client(folder, "publish", ".");
  expect([second.exit, stage.requests.filter(({ method }) => method !== "GET")]).toEqual([0, []]);
  const wrong = await stage.client(folder, "append", "gauge", rows);
  expect([wrong.exit, wrong.json.errors[0].message]).toEqual([1, expect.stringContaining("repeats the key")]);
  await writeFiles({ "high.csv": "station,day,height_m\nHusum,2026-11-22,5.01\n" }, stage.env.HOME);
  const high = await stage.client(folder, "append", "gauge", join(stage.env.HOME ?? "", "high.csv"));
  expect(high.json.works, high.stdout).toMatchObject([
    { path: "gauge", revision_number: 3, rows: 4 },
    {
      path: "november-surge.md",
      no_longer_holds: [
        { kind: "figure", n: 1, text: "4.12 m", state: "differs", value: "5.01 m" },
        { kind: "chart", n: 1, text: "Highest water by gauge", state: "differs" },
      ],
    },
  ]);
  const far = await stage.client(folder, "append", "/@tidewatch/gauge", rows);
  expect([far.exit, far.json.errors.length]).toEqual([1, 1]);

  // Nothing on the disk tells whether the answer of a call to an address got lost.
  await writeFiles({ "last.csv": "station,day,height_m\nHusum,2026-11-21,3.80\n" }, stage.env.HOME);
  const last = ["append", "/@tidewatch/gauge", join(stage.env.HOME ?? "", "last.csv")];
  const [once, twice] = [await stage.client(folder, ...last), await stage.client(folder, ...last)];
  expect(once.json.works).toMatchObject([{ did: "updated", revision_number: 4, rows: 5 }]);
  expect(twice.json.works).toMatchObject([{ did: "unchanged", revision_number: 4, rows: 5 }]);

  // A text that stands on the data of before is pulled with the path of its file, and stays bound to them.
  const pulled = await openFolder();
  await stage.client(pulled, "pull", "@tidewatch", ".");
  expect(await readFile(join(pulled, "november-surge.md"), "utf8")).not.toContain("asset_id");
  const unchanged = await stage.client(pulled, "publish", ".");
  expect(new Set(unchanged.json.works.map(({ did }: Json) => did)), unchanged.stdout).toEqual(
    new Set(["unchanged"]),
  );
});
