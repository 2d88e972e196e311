import { describe, expect, it } from "vitest";
import type { z } from "zod";
import { EXAMPLES as examples } from "../../../api/openapi/components.ts";
import * as answers from "../../../api/openapi/schemas/answers.ts";
import * as schemas from "../../../api/openapi/schemas.ts";

/** Parts of bodies, and bodies that no short example shows. */
const WITHOUT_EXAMPLE = [
  ...["Cell", "Column", "Moment", "OpenApiDocument", "OpenApiQuery", "Outline", "Ulid"],
  ...["WrittenAsset", "WrittenCreation", "WrittenProfile", "WrittenWatchedQuestion"],
];
const UNEXAMPLED_REQUESTS = [
  "AppendForm",
  "AssetsQuery",
  "ChartPictureQuery",
  "CreationQuery",
  "CsvExportParameters",
  "DiffExportParameters",
  "DiffParameters",
  "OEmbedQuery",
  "PageParameters",
  "ExportParameters",
  "QueryCsvParameters",
  "QueryExportParameters",
  "QueryParameters",
  "RowsParameters",
  "ParquetParameters",
  "StatsParameters",
  "UploadBytes",
  "UploadForm",
  "UploadParameters",
  "UploadRequest",
];
const shown: [string, unknown][] = Object.entries(examples);
const known: Record<string, z.ZodType> = schemas;

function schemaOf(example: string): z.ZodType {
  const schema = known[example.split(".")[0] ?? ""];
  if (schema === undefined) throw new Error(`${example} is the example of no schema`);
  return schema;
}

describe("examples", () => {
  it.each(shown)("%s holds against its schema", (name, example) => {
    const result = schemaOf(name).safeParse(example);
    expect(result.error?.issues ?? []).toEqual([]);
  });

  it("show every request and answer", () => {
    const named = new Set(shown.map(([name]) => name.split(".")[0]));
    const without = Object.keys(schemas).filter((name) => !named.has(name));
    const hint = 'add an example, named "Schema.what", to api/openapi/examples.json';
    expect(without.toSorted(), hint).toEqual([...WITHOUT_EXAMPLE, ...UNEXAMPLED_REQUESTS].toSorted());
  });

  it("name no address but those of example domains, and a licence's own page", () => {
    const hosts = [...JSON.stringify(examples).matchAll(/https?:\/\/([^/"]+)/g)].map(([, host]) => host);
    // Vocabularies and licences have their own addresses.
    const known = [
      ...["schema.org", "mlcommons.org", "datapackage.org", "creativecommons.org"],
      ...["cv.iptc.org", "jsonfeed.org"],
    ];
    const others = hosts.filter((host) => !known.includes(host ?? ""));
    expect(others.filter((host) => !/(^|\.)example\.(org|net)$/.test(host ?? ""))).toEqual([]);
  });
});

describe("answers", () => {
  const bodies = shown.filter(([name]) => (name.split(".")[0] ?? "") in answers);

  it.each(bodies)("%s is shown as it is emitted, with nothing filled in", (name, example) => {
    expect(schemaOf(name).parse(example)).toEqual(example);
  });

  it.each(bodies)("%s refuses a member that nobody described", (name, example) => {
    expect(schemaOf(name).safeParse({ ...(example as object), stray: 1 }).success).toBe(false);
  });

  // Answers that have a form without a member.
  const SHORTER_FORMS: Record<string, string> = {
    Revision: "payload",
    Croissant: "recordSet",
    DataPackage: "licenses",
    SavedCreation: "rebound",
  };

  it.each(bodies)("%s refuses an answer that lacks a member", (name, example) => {
    const whole = example as Record<string, unknown>;
    for (const member of Object.keys(whole)) {
      if (SHORTER_FORMS[name.split(".")[0] ?? ""] === member) continue;
      const { [member]: _, ...rest } = whole;
      expect(schemaOf(name).safeParse(rest).success).toBe(false);
    }
    const { data } = whole;
    if (typeof data !== "object" || data === null || Array.isArray(data)) return;
    for (const member of Object.keys(data)) {
      if (SHORTER_FORMS[name.split(".")[0] ?? ""] === member) continue;
      const { [member]: _, ...rest } = data as Record<string, unknown>;
      expect([member, schemaOf(name).safeParse({ ...whole, data: rest }).success]).toEqual([member, false]);
    }
  });
});
