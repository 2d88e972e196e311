import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { DataPackage } from "../../../../api/openapi/schemas.ts";
import { describeLicence } from "../../../../shared/text/licences/licences.ts";
import { writeDataPackage } from "../../../../shared/text/metadata/data-package.ts";
import type { Json } from "../../../support/agent.ts";
import profile from "../../../support/data-package-2.0.json" with { type: "json" };
import { MOST_DATA_BYTES, some } from "../../../support/depth.ts";
import { listDatasets, readDataset } from "../../tables/inspection/sources.ts";
import { describeSample, makeDataset } from "./described.ts";

const holds = new Ajv({ strict: false, validateFormats: false }).compile(profile);

/** The document of a dataset, as a reader gets it, after neither the profile nor our schema has found a fault in it. */
function writeValid(dataset: ReturnType<typeof makeDataset>): Json {
  const document = JSON.parse(JSON.stringify(writeDataPackage(dataset)));
  expect([holds(document), holds.errors]).toEqual([true, null]);
  expect(DataPackage.safeParse(document).error).toBeUndefined();
  return document;
}

describe("a Data Package", () => {
  test("has the members of the profile for everything that a dataset may have", async () => {
    const sample = await describeSample("station,height_m\nHusum,4.4\n", "csv", "Hourly readings");
    const sources = [{ title: "Gauges", url: "https://example.net/a/../b..c" }];
    const more = { license: describeLicence("CC-BY-4.0"), sources, keywords: ["Weather"] };
    const file = { ...sample.file, notes: "Heights are above the gauge's zero." };
    expect(writeValid(makeDataset([file], more))).toEqual({
      $schema: "https://datapackage.org/profiles/2.0/datapackage.json",
      name: "tidewatch-gauge-readings",
      id: "https://example.org/@tidewatch/gauge-readings/revisions/12",
      title: "Gauge readings",
      description: "The height of the water at six gauges, every hour since 2019.",
      homepage: "https://example.org/@tidewatch/gauge-readings",
      version: "12.0.0",
      created: "2026-11-21T09:00:00Z",
      licenses: [
        {
          name: "CC-BY-4.0",
          path: "https://creativecommons.org/licenses/by/4.0/",
          title: "Creative Commons Attribution 4.0 International",
        },
      ],
      contributors: [{ title: "Tide Watch", path: "https://example.org/@tidewatch", roles: ["creator"] }],
      sources: [{ title: "Gauges", path: "https://example.net/a/../b..c" }],
      keywords: ["Weather"],
      resources: [
        {
          name: "hourly-readings",
          path: file.url,
          title: "Hourly readings",
          description: "Heights are above the gauge's zero.",
          format: "csv",
          mediatype: "text/csv",
          encoding: "utf-8",
          bytes: 27,
          hash: `sha256:${file.sha256}`,
          type: "table",
          schema: {
            fields: [
              { name: "station", type: "string" },
              { name: "height_m", type: "number" },
            ],
          },
        },
      ],
    });
  });

  test.each([
    ["1,2", { type: "integer" }],
    ["1.5,2", { type: "number" }],
    ["2026-01-31,2026-02-01", { type: "date" }],
    ["2026-01,2026-02", { type: "yearmonth" }],
    ["2026-01-31T10:00:00Z,2026-01-31T11:00:00Z", { type: "datetime" }],
    ["2026-01-31T10:00:00Z,2026-01-31T11:00:00+01:00", { type: "datetime", format: "any" }],
    ["2026-01-31 10:00,2026-01-31 11:00", { type: "datetime", format: "any" }],
    ["2026-01,2026-02-01", { type: "string" }],
    ["TRUE,false", { type: "boolean", trueValues: ["TRUE"], falseValues: ["false"] }],
    ["True,true", { type: "boolean", trueValues: ["True", "true"] }],
    ["one,2", { type: "string" }],
    ["one,two", { type: "string" }],
  ])("names the type of a CSV column of %s", async (cells, type) => {
    const { file } = await describeSample(
      `x,y\n${cells
        .split(",")
        .map((cell) => `${cell},\n`)
        .join("")}`,
      "csv",
    );
    const { resources } = writeValid(makeDataset([file]));
    expect(resources[0].schema.fields[0]).toEqual({ name: "x", ...type });
  });

  test.each([
    ['1,"a"', { type: "any" }],
    ["[1],[2]", { type: "array" }],
    ['{"b":1},{}', { type: "object" }],
    ["true,false", { type: "boolean", trueValues: ["true"], falseValues: ["false"] }],
    ["null,null", { type: "string" }],
  ])("names the type of a JSON column of %s", async (cells, type) => {
    const { file } = await describeSample(
      JSON.stringify(JSON.parse(`[${cells}]`).map((x: unknown) => ({ x }))),
      "json",
    );
    const { resources } = writeValid(makeDataset([file]));
    expect(resources[0].schema.fields[0]).toEqual({ name: "x", ...type });
  });

  test("has a resource for each list of a document, and a name of its own for each", async () => {
    const lists = {
      "Stations é": [{ a: 1 }],
      "stations e": [{ a: 1 }],
      "": [{ a: 1 }],
      駅: [{ a: 1 }],
      n: [{}],
    };
    const document = (await describeSample(JSON.stringify(lists), "json", "Däta")).file;
    const text = { ...document, format: "md" as const, tables: [] };
    const { resources } = writeValid(makeDataset([document, text, { ...text, label: "駅" }]));
    expect(resources.map((one: Json) => [one.name, one.dialect?.property])).toEqual([
      ["data-stations-e", "Stations é"],
      ["data-stations-e-2", "stations e"],
      ["data", ""],
      ["data-2", "駅"],
      ["data-3", undefined],
      ["file-3", undefined],
    ]);
    expect(resources.map((one: Json) => one.type ?? null)).toEqual([...Array(4).fill("table"), null, null]);
  });

  test("says how a file is written that is read by a dialect", async () => {
    const { file } = await describeSample("a,b\n1,2\n", "csv");
    const dialect = { delimiter: ";", headerRows: [1, 2], encoding: "iso-8859-1" };
    const reading = { dialect, url: `${file.url}/rows/all.csv`, bytes: 8, sha256: file.sha256 };
    const { resources } = writeValid(makeDataset([{ ...file, reading }]));
    expect(resources).toMatchObject([
      { encoding: "iso-8859-1", dialect: { delimiter: ";", headerRows: [1, 2], headerJoin: " " } },
    ]);
  });

  const files = some(
    (["csv", "json"] as const).flatMap((format) =>
      listDatasets(format, MOST_DATA_BYTES).map((name) => ({ format, name })),
    ),
  );

  test("of data files of vega-datasets holds to the profile", async () => {
    let count = 0;
    for (const { format, name } of files) {
      const content = readDataset(`data/${name}`);
      if (content === null) continue;
      count += writeValid(makeDataset([(await describeSample(content, format, name)).file])).resources.length;
    }
    expect([files.length > 10, count >= files.length]).toEqual([true, true]);
  });
});
