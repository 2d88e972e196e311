import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { VERSION } from "../../shared/ground/version.ts";
import type { Json } from "../support/agent.ts";
import { writeFiles } from "./harbour.ts";
import { openStage } from "./stage.ts";

const ROWS = "station,day,height_m\nHusum,2026-11-19,4.12\nBremen,2026-11-19,3.50\n";
const readPackage = async (folder: string, at: string) =>
  JSON.parse(await readFile(join(folder, at, "datapackage.json"), "utf8"));

test("tables without a package get one with the columns that an inspection finds, and are published at once", async () => {
  const stage = await openStage();
  const files = {
    "Tide Gauges/readings.csv": ROWS,
    "Tide Gauges/more/stations.json": '[{ "id": "Husum", "open": true }]',
    "prices/prices.csv": "day;price\n2026-11-19;1,50\n2026-11-20;2,25\n",
    "words.md": "---\ntitle: Words\nreferences: [{ to: Tide Gauges, relation: uses }]\n---\nWords.\n",
  };
  const folder = await writeFiles(files);
  const refused = await stage.client(folder, "publish", ".");
  const line = `This writes one: npx -y ${stage.site}/client-${VERSION}.tgz init .`;
  const tables = refused.json.errors.filter(({ code }: Json) => code === "not_in_a_package");
  expect(tables.map(({ path, hint }: Json) => [path, hint])).toEqual([
    ["Tide Gauges/readings.csv", line],
    ["Tide Gauges/more/stations.json", line],
    ["prices/prices.csv", line],
  ]);

  const asked = await stage.client(folder, "init", ".");
  expect([asked.exit, asked.json.errors]).toEqual([
    1,
    [expect.objectContaining({ path: "prices/prices.csv", plan: expect.anything() })],
  ]);
  const written = await stage.client(folder, "init", ".", "--auto");
  expect(written.json.works, written.stdout).toEqual(
    ["Tide Gauges", "prices"].map((at) => ({
      path: `${at}/datapackage.json`,
      did: "written",
      ...{ evidence: null, hints: [], warnings: [] },
    })),
  );
  expect(await readPackage(folder, "Tide Gauges")).toEqual({
    name: "tide-gauges",
    title: "Tide Gauges",
    resources: [
      {
        ...{ name: "readings", path: "readings.csv", title: "readings" },
        schema: {
          fields: [
            { name: "station", type: "string" },
            { name: "day", type: "date", format: "any" },
            { name: "height_m", type: "number" },
          ],
        },
      },
      {
        ...{ name: "more-stations", path: "more/stations.json", title: "more/stations" },
        schema: {
          fields: [
            { name: "id", type: "string" },
            { name: "open", type: "boolean" },
          ],
        },
      },
    ],
  });
  expect((await readPackage(folder, "prices")).resources[0].dialect).toMatchObject({ delimiter: ";" });

  const published = await stage.client(folder, "publish", ".");
  expect(published.json.errors, published.stdout).toEqual([]);
  expect(published.json.works.map(({ path, did }: Json) => `${path} ${did}`)).toEqual([
    "profile.yml created",
    "words.md created",
    "Tide Gauges created",
    "prices created",
  ]);
  // The files are those that init sent.
  expect((await stage.agent.get("/assets")).json.data).toHaveLength(3);
  const own = { ...(await readPackage(folder, "prices")), title: "Prices by day" };
  await writeFiles({ "prices/datapackage.json": JSON.stringify(own) }, folder);
  expect((await stage.client(folder, "init", ".")).json).toMatchObject({ ok: true, works: [] });
  expect(await readPackage(folder, "prices")).toEqual(own);
});

test("a table beside other works, or in the folder of one, gets no package, and nothing is written", async () => {
  const stage = await openStage();
  const folder = await writeFiles({
    "readings.csv": ROWS,
    "story.md": "---\ntitle: Story\n---\nWords.\n",
    "gauge/datapackage.json": '{ "title": "Gauge", "resources": [] }',
    "gauge/old/readings.csv": ROWS,
    "prices/prices.csv": "day,price\n2026-11-19,1.5\n",
  });
  stage.requests.length = 0;
  const { exit, json } = await stage.client(folder, "init");
  expect([exit, json.works, stage.requests.filter(({ method }) => method !== "GET")]).toEqual([1, [], []]);
  expect(json.errors.map(({ path, message, hint }: Json) => [path, message, hint])).toEqual([
    ["readings.csv", "readings.csv lies beside story.md; move it into a folder of its own.", null],
    [
      "gauge/old/readings.csv",
      "No datapackage.json of the folder gauge/old names gauge/old/readings.csv.",
      "Name it in gauge/datapackage.json; nothing else is a work there.",
    ],
  ]);
  expect((await stage.client(folder, "init", "nowhere")).exit).toBe(2);
});
