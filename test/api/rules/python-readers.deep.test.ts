import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { choosePort } from "../../../cli/embedded/port.ts";
import { compareReady } from "../../shared/tables/differences/comparing.ts";
import { makePair, writeTable } from "../../shared/tables/differences/random-pairs.ts";
import { createRandom } from "../../shared/tables/inspection/generated.ts";
import { prepareFile } from "../../shared/tables/rows/reading.ts";
import type { Json } from "../../support/agent.ts";
import { makeCreation, publish } from "../../support/agent.ts";
import { openFolder } from "../../support/close-afterwards.ts";
import { uploadReady } from "../../support/inspection.ts";
import { installPythonPackages } from "../../support/python-packages.ts";
import { untilJobsAreDone } from "../../support/service.ts";
import { openMetadataSite } from "../routes/public/metadata-site.ts";

const PACKAGES = ["frictionless==5.21.0", "pyarrow==26.0.1", "csv-diff==1.2"];
const PAIRS = 1_000;
const LEFT_OUT = "Python could not install the readers";

const FILES = {
  "readings.csv":
    "station,day,at,height_m,open,quality\nH,2026-11-18,2026-11-18T10:00:00Z,4.12,true,A\nH,2026-11-19,2026-11-19T10:00:00Z,-999,false,B\nT,2026-11-18,,NA,,\n",
  "stations.csv": 'id,"name, said",since\nH,Husum,1950-01\nT,"Tönning ""x""",\n',
};
const DICTIONARY = {
  primary_key: ["station", "day"],
  columns: [
    { name: "station", title: "Gauge", required: true, references: { label: "Stations", column: "id" } },
    { name: "day", role: "time", minimum: "2026-11-18", maximum: "2026-11-30" },
    { name: "height_m", unit: "m", missing_values: ["-999", "NA"], minimum: -5, maximum: 15 },
    { name: "quality", categories: [{ value: "A", label: "checked" }, { value: "B" }] },
  ],
};

const folder = await openFolder();
const python = await installPythonPackages(PACKAGES);
const port = await choosePort();
const site = await openMetadataSite(undefined, { siteUrl: `http://127.0.0.1:${port}` });
await site.service.app.listen({ port, host: "127.0.0.1" });
const address = await publishDescribed();

afterAll(async () => {
  await site?.service.close();
  await python?.remove();
});

async function publishDescribed(): Promise<string> {
  const { service, agent } = site;
  const [readings, stations] = [
    await uploadReady(service, agent, "readings.csv", FILES["readings.csv"]),
    await uploadReady(service, agent, "stations.csv", FILES["stations.csv"]),
  ];
  const attachments = [
    { asset_id: readings.id, label: "Readings", dictionary: DICTIONARY },
    { asset_id: stations.id, label: "Stations" },
  ];
  const payload = { title: "Described", license: "CC0-1.0", attachments };
  const work = await publish(
    agent,
    await makeCreation(agent, { type: "dataset", slug: "described", payload }),
  );
  await untilJobsAreDone(service);
  return work.public_url;
}

const read = async (command: string, args: readonly string[]): Promise<Json[]> => {
  if (python === null) throw new Error(LEFT_OUT);
  const output = await python.run("read-tables.py", [command, ...args]);
  return JSON.parse(output.trim().split("\n").at(-1) ?? "");
};

test("frictionless finds no fault in a Data Package and its tables, and each that is planted", {
  timeout: 360_000,
}, async (context) => {
  if (python === null) return context.skip(LEFT_OUT);
  const document = await site.read(`${address}/datapackage.json`);
  // The same document of a file that breaks each of its rules.
  const broken = join(folder, "broken.json");
  const [readings, stations] = document.resources;
  const fields = readings.schema.fields.map((field: Json) =>
    field.name === "height_m" ? { ...field, constraints: { minimum: 5, maximum: 15 } } : field,
  );
  const resources = [{ ...readings, schema: { ...readings.schema, fields } }, stations];
  await writeFile(broken, JSON.stringify({ ...document, resources }));
  const [good, bad] = await read("validate", [`${address}/datapackage.json`, broken]);
  expect(good).toEqual({ valid: true, errors: [] });
  expect(bad?.valid).toBe(false);
  expect(bad?.errors.map(([resource, type, field]: string[]) => [resource, type, field])).toEqual([
    ["readings", "constraint-error", "height_m"],
  ]);
});

test("pyarrow reads the Parquet form of every table with its types and rows", async (context) => {
  if (python === null) return context.skip(LEFT_OUT);
  const { data } = await site.read(`${address}.json`);
  const paths: string[] = [];
  for (const [at, { parquet_url }] of data.files.entries()) {
    const path = join(folder, `${at}.parquet`);
    await writeFile(path, Buffer.from(await (await fetch(parquet_url)).arrayBuffer()));
    paths.push(path);
  }
  const [readings, stations] = await read("parquet", paths);
  expect(readings?.types).toEqual({
    ...{ station: "string", day: "date32[day]", at: "timestamp[ms, tz=UTC]" },
    ...{ height_m: "string", open: "bool", quality: "string" },
  });
  expect(readings?.rows[0]).toEqual({
    ...{ station: "H", day: "2026-11-18", at: "2026-11-18 10:00:00+00:00" },
    ...{ height_m: "4.12", open: true, quality: "A" },
  });
  expect(readings?.rows[2]).toEqual({
    ...{ station: "T", day: "2026-11-18", at: null, height_m: "NA", open: null, quality: null },
  });
  expect(readings?.metadata.source_sha256).toBe(data.files[0].content_sha256);
  expect(stations?.rows).toEqual([
    { id: "H", "name, said": "Husum", since: "1950-01" },
    { id: "T", "name, said": 'Tönning "x"', since: null },
  ]);
});

test(`csv-diff counts the same added, removed and changed rows in ${PAIRS} pairs`, {
  timeout: 360_000,
}, async (context) => {
  if (python === null) return context.skip(LEFT_OUT);
  const random = createRandom(43);
  const pairs: Json[] = [];
  const counted: Json[] = [];
  for (let made = 0; made < PAIRS; made++) {
    const { format, base, head } = makePair(random);
    // It takes one column as a key, and counts no cell of a column that came or went.
    if (format === "json" || base.rows.length === 0 || head.rows.length === 0) continue;
    if ([...base.columns].sort().join() !== [...head.columns].sort().join()) continue;
    const [before, after] = [writeTable("csv", base), writeTable("csv", head)];
    const outcome = await compareReady(await prepareFile(before, "csv"), await prepareFile(after, "csv"));
    if (!outcome.ok || outcome.found.key?.length !== 1) continue;
    const [added, removed, changed] = outcome.found.counts;
    pairs.push({ base: before, head: after, key: outcome.found.key[0] });
    counted.push({ added, removed, changed });
  }
  expect(pairs.length).toBeGreaterThan(PAIRS / 8);
  const path = join(folder, "pairs.json");
  await writeFile(path, JSON.stringify(pairs));
  expect(await read("compare", [path])).toEqual(counted);
});
