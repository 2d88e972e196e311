import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { Croissant, Linkset } from "../../../../api/openapi/schemas.ts";
import context from "../../../../shared/text/metadata/croissant-context.json" with { type: "json" };
import type { Json } from "../../../support/agent.ts";
import { loadCroissant, parseJson } from "../../../support/croissant-reader.ts";
import { openMetadataSite } from "./metadata-site.ts";

const PARQUET = "application/vnd.apache.parquet";

const site = await openMetadataSite();

const NAMES = ["croissant.json", "datapackage.json", "linkset.json"] as const;
const at = (name: string, revision: number | null = null) =>
  `${site.page}${revision === null ? "" : `/revisions/${revision}`}/${name}`;

const fetchFile = async (url: string) => {
  const reply = await site.service.app.inject({ url: url.replace(site.site, "") });
  expect([url, reply.statusCode]).toEqual([url, 200]);
  return reply.rawPayload;
};

/** Every address of this site that a document names, at whatever depth. */
function listAddresses(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith(site.site) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(listAddresses);
}

describe("croissant.json", () => {
  test("says what the format asks for", async () => {
    const document = await site.read(at("croissant.json"));
    expect(Croissant.safeParse(document).error).toBeUndefined();
    const { json } = await site.get(`${site.page}.json`);
    const { first_published_at, changes } = json.data;
    expect(document).toMatchObject({
      "@context": context,
      "@type": "sc:Dataset",
      conformsTo: "http://mlcommons.org/croissant/1.1",
      name: 'Gauge "readings" </script><b>',
      license: "https://creativecommons.org/licenses/by/4.0/",
      url: site.page,
      creator: { "@type": "Organization", name: "Tide Watch", url: `${site.site}/@tidewatch` },
      datePublished: first_published_at,
      dateModified: changes[0].published_at,
      version: "2.0.0",
    });
    expect(document.description.length).toBeGreaterThanOrEqual(50);
    expect(document.distribution.map((file: Json) => [file["@id"], file.name, file.encodingFormat])).toEqual([
      ["file-1", "readings, höhe's.csv", "text/csv"],
      ["file-1/parquet-1", "readings, höhe's.parquet", PARQUET],
      ["file-2", "stations.json", "application/json"],
      ["file-2/list-2", "stations.json", "application/json"],
      ["file-2/parquet-1", "stations-stations.parquet", PARQUET],
      ["file-2/parquet-2", "stations-zero points.parquet", PARQUET],
    ]);
    expect(document.recordSet.map((set: Json) => [set["@id"], set.name])).toEqual([
      ["table-1", "readings, höhe's"],
      ["table-2", "stations: stations"],
      ["table-3", "stations: zero points"],
    ]);
    const fields = document.recordSet.map((set: Json) => set.field.map((field: Json) => field.dataType));
    expect(fields).toEqual([
      ["sc:Text", "sc:Integer", "sc:Integer", "sc:Text", "sc:Integer", "sc:Text"],
      ["sc:Text", "sc:Date"],
      ["sc:Float"],
    ]);
  });

  test.each([null, 1, 2])("of revision %s loads with the rows of its tables", async (revision) => {
    const document = await site.read(at("croissant.json", revision));
    const records = await loadCroissant(document, fetchFile);
    expect(records.map(({ count }) => count)).toEqual([2, 2, 1]);
    const { files } = (await site.get(`${site.page}${revision ? `/revisions/${revision}` : ""}.json`)).json
      .data;
    const tables = files.flatMap((file: Json) =>
      (file.tables.length > 0 ? file.tables : [null]).map((list: string | null) =>
        file.rows_url === null
          ? null
          : `${file.rows_url}${list === null ? "" : `?${new URLSearchParams({ table: list })}`}`,
      ),
    );
    for (const [place, url] of tables.filter((one: string | null) => one !== null).entries()) {
      const { data } = parseJson((await site.get(url)).text) as Json;
      const columns = [...(records[place]?.columns ?? [])];
      expect(columns.map(([name]) => name)).toEqual(data.columns);
      for (const [column, [, { cells }]] of columns.entries())
        expect(cells).toEqual(data.rows.map((row: unknown[]) => row[column]));
    }
  });
});

describe("datapackage.json and linkset.json", () => {
  test("have the form that the documentation gives", async () => {
    expect(Linkset.safeParse(await site.read(at("linkset.json"))).error).toBeUndefined();
  });

  test("name sizes and hashes of the bytes behind their addresses", async () => {
    for (const revision of [null, 1, 2]) {
      const { resources } = await site.read(at("datapackage.json", revision));
      expect(new Set(resources.map((resource: Json) => resource.path)).size).toBe(revision === 1 ? 3 : 2);
      for (const { path, bytes, hash } of resources) {
        const content = await fetchFile(path);
        expect([bytes, hash]).toEqual([
          content.length,
          `sha256:${createHash("sha256").update(content).digest("hex")}`,
        ]);
      }
    }
  });

  test("are of the story too, as far as it has them", async () => {
    const { linkset } = await site.read(`${site.site}/@tidewatch/surge/linkset.json`);
    expect(linkset[0]).toMatchObject({
      anchor: `${site.site}/@tidewatch/surge`,
      type: [{}, { href: "https://schema.org/Article" }],
    });
    for (const name of ["croissant.json", "datapackage.json"])
      expect((await site.get(`${site.site}/@tidewatch/surge/${name}`)).json.message).toBe(
        "There is no such published dataset.",
      );
  });
});

describe.each(NAMES)("%s", (name) => {
  test("has its type, and leads back to what it describes", async () => {
    const types = [
      'application/ld+json; profile="http://mlcommons.org/croissant/1.1"',
      "application/json",
      "application/linkset+json",
    ];
    for (const revision of [null, 1]) {
      const { headers } = await site.get(at(name, revision));
      const about = revision === null ? site.page : `${site.page}/revisions/1`;
      expect(headers).toMatchObject({
        "content-type": types[NAMES.indexOf(name)],
        link: `<${about}>; rel="describes"; type="text/html"`,
      });
    }
  });

  test("names addresses that answer, all of them", async () => {
    for (const revision of [null, 1, 2]) {
      const addresses = new Set(listAddresses(await site.read(at(name, revision))));
      expect(addresses.size).toBeGreaterThan(3);
      for (const address of addresses) {
        const [path = ""] = address.split("#");
        expect([address, (await site.get(path)).status]).toEqual([address, 200]);
      }
    }
  });

  test("of a revision that is none is missing, and so is one of a work that is none", async () => {
    for (const path of [
      at(name, 3),
      at(name).replace("gauge-readings", "nothing"),
      `${site.page}/revisions/x/${name}`,
    ]) {
      const { status, json } = await site.get(path);
      expect([path, status, json.code]).toEqual([path, 404, "not_found"]);
    }
  });
});
