import { describe, expect, test } from "vitest";
import { describeLicence } from "../../../../shared/text/licences/licences.ts";
import { writeCroissant, writeJsonPath } from "../../../../shared/text/metadata/croissant.ts";
import type { Json } from "../../../support/agent.ts";
import { findByPath } from "../../../support/croissant-reader.ts";
import { expandJsonLd } from "../../../support/json-ld.ts";
import { describeSample, makeDataset } from "./described.ts";

const CR = "http://mlcommons.org/croissant/";
const SC = "https://schema.org/";
const read = (dataset: ReturnType<typeof makeDataset>): Json =>
  JSON.parse(JSON.stringify(writeCroissant(dataset)));

describe("a Croissant document", () => {
  test("means what it says to a reader of JSON-LD, and nothing of it is lost", async () => {
    const { file } = await describeSample("n,day\n1,2026-01-31\n", "csv");
    const document = read(
      makeDataset([file], { license: describeLicence("CC-BY-4.0"), citeAs: "@dataset{}" }),
    );
    const base = "https://example.org/@tidewatch/gauge-readings/croissant.json";
    const [dataset] = await expandJsonLd(document, base);
    const idOf = (name: string) => `${new URL(name, base)}`;
    expect(dataset["@type"]).toEqual([`${SC}Dataset`]);
    expect(dataset["http://purl.org/dc/terms/conformsTo"]).toMatchObject([
      { "@value": "http://mlcommons.org/croissant/1.1" },
    ]);
    expect(dataset[`${CR}citeAs`]).toMatchObject([{ "@value": "@dataset{}" }]);
    expect(dataset[`${SC}license`]).toMatchObject([
      { "@value": "https://creativecommons.org/licenses/by/4.0/" },
    ]);
    expect(dataset[`${SC}creator`]).toMatchObject([{ "@type": [`${SC}Organization`] }]);
    expect(dataset[`${SC}distribution`]).toMatchObject([
      { "@id": idOf("file-1"), "@type": [`${CR}FileObject`], [`${SC}sha256`]: [{ "@value": file.sha256 }] },
    ]);
    const [set] = dataset[`${CR}recordSet`];
    expect([set["@id"], set["@type"]]).toEqual([idOf("table-1"), [`${CR}RecordSet`]]);
    const types = set[`${CR}field`].map((field: Json) => field[`${CR}dataType`][0]["@id"]);
    expect(types).toEqual([`${SC}Integer`, `${SC}Date`]);
    const [source] = set[`${CR}field`][0][`${CR}source`];
    expect(source[`${CR}fileObject`]).toEqual([{ "@id": idOf("file-1") }]);
    expect(source[`${CR}extract`][0][`${CR}column`]).toMatchObject([{ "@value": "n" }]);
  });

  test("without a licence leads to the page that says so, and leaves out what nobody gave", async () => {
    const dataset = makeDataset([(await describeSample("n\n1\n", "csv")).file]);
    const document = read(dataset);
    expect(document.license).toBe(dataset.noLicenseUrl);
    for (const member of ["citeAs", "isLiveDataset", "key"])
      expect(Object.hasOwn(document, member)).toBe(false);
    expect(document.version).toBe("12.0.0");
  });

  test("names the owner where the owner is shown", () => {
    const owner = { name: "Nora", url: "https://example.org/owners/nora" };
    expect(read(makeDataset([], { owner })).creator).toEqual({
      "@type": "Organization",
      additionalType: "https://schema.org/SoftwareApplication",
      name: "Tide Watch",
      url: "https://example.org/@tidewatch",
      description: "A software agent",
      parentOrganization: { "@type": "Organization", ...owner },
    });
  });

  test("takes what is known of a column, and no more", async () => {
    const { file } = await describeSample("n\n1\n", "csv");
    const [table] = file.tables;
    const [column] = table?.columns ?? [];
    if (!column) throw new Error("no column");
    const fieldOf = (more: object) =>
      read(makeDataset([{ ...file, tables: [{ list: null, columns: [{ ...column, ...more }] }] }]))
        .recordSet[0].field[0];
    expect(Object.keys(fieldOf({}))).toEqual(["@type", "@id", "name", "dataType", "source"]);
    expect(fieldOf({ title: "Gauge", description: "Its name." }).description).toBe("Its name.");
    expect(fieldOf({ title: "Gauge" }).description).toBe("Gauge");
    expect(fieldOf({ form: null }).dataType).toBe("sc:Float");
    expect(fieldOf({ form: "vast" }).dataType).toBe("sc:Text");
    expect(fieldOf({ type: "date", form: null }).dataType).toBe("sc:Text");
  });

  test("has the primary key where its values differ as its texts do, and says where new data are promised", async () => {
    const { file } = await describeSample("station,n,x\nHusum,1,1.0\nHusum,2,2\n", "csv");
    const [table] = file.tables;
    if (table === undefined) throw new Error("no table");
    const keyOf = (primaryKey: string[]) =>
      read(makeDataset([{ ...file, tables: [{ ...table, primaryKey }] }])).recordSet[0].key;
    expect(keyOf(["n", "station"])).toEqual([{ "@id": "table-1/column-2" }, { "@id": "table-1/column-1" }]);
    expect(keyOf(["n"])).toEqual({ "@id": "table-1/column-2" });
    expect(keyOf(["station", "x"])).toBeUndefined();
    expect(read(makeDataset([file], { isLive: true })).isLiveDataset).toBe(true);
  });

  test("has no record set for a list of records without a member", async () => {
    const { file } = await describeSample("[{},{}]", "json");
    expect(Object.hasOwn(read(makeDataset([file])), "recordSet")).toBe(false);
  });
});

test.each([
  [null, "name", "$[*].name"],
  ["stations", "name", "$.stations[*].name"],
  ["zero points", "a.b", "$['zero points'][*]['a.b']"],
  [null, "it's \\", "$[*]['it\\'s \\\\']"],
  [null, "two\nlines", "$[*]['two\\u000alines']"],
  ["where", "parent", "$['where'][*]['parent']"],
  [null, "", "$[*]['']"],
  [null, "1st", "$[*]['1st']"],
])("the path to a member of the list %j, %j, is %s", (list, name, path) => {
  expect(writeJsonPath(list, name)).toBe(path);
  const records = [{ [name]: 7 }];
  expect(findByPath(list === null ? records : { [list]: records }, path)).toEqual([7]);
});
