import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";

// JavaScript, which the compiler reads in its own place.
const { readPackage, toPlace } = await import(pathToFileURL(resolve("client/reading/read-package.js")).href);
const { addTargets, findLine } = await import(pathToFileURL(resolve("client/reading/read-text.js")).href);
const { describeFaults } = await import(pathToFileURL(resolve("client/reading/faults.js")).href);

const readResource = (resource: object, ...others: object[]) =>
  readPackage({ resources: [{ path: "a.csv", name: "a", ...resource }, ...others] });
const readColumns = (schema: object, ...others: object[]) => {
  const { payload, ignored } = readResource({ schema }, ...others);
  return [payload.attachments[0].dictionary?.columns, ignored];
};

test("marks of a schema are those of each of its columns that has none of its own", () => {
  const fields = [
    { name: "x", type: "number" },
    { name: "y", missingValues: [""] },
  ];
  const columns = [
    { name: "x", missing_values: ["-999"] },
    { name: "y", missing_values: [] },
  ];
  expect(readColumns({ missingValues: ["", "-999"], fields })).toEqual([columns, []]);
  expect(readColumns({ missingValues: [""], fields: [{ name: "x", type: "number" }] })).toEqual([
    undefined,
    [],
  ]);
});

test("the columns of a key stand in the dictionary, whatever else is said of them", () => {
  const fields = [{ name: "w" }, { name: "x", type: "string" }, { name: "y" }];
  expect(readColumns({ primaryKey: "x", fields })).toEqual([[{ name: "x" }], []]);
  expect(readColumns({ primaryKey: ["x", "y"], fields })).toEqual([[{ name: "x" }, { name: "y" }], []]);
  expect(readColumns({ fields })).toEqual([undefined, []]);
});

test("what the site says of marks of a schema stands at the schema, once", () => {
  const fields = [{ name: "w" }, { name: "x" }, { name: "y", unit: "m", missingValues: ["9"] }];
  const value = { resources: [{ path: "a.csv", schema: { missingValues: ["-999"], fields } }] };
  const place = (column: number, member: string) =>
    toPlace(value, readPackage(value).payload, [
      ...["attachments", "0", "dictionary", "columns", `${column}`, member],
    ]).join(".");
  expect(place(1, "missing_values")).toBe("resources.0.schema.missingValues");
  expect(place(2, "missing_values")).toBe("resources.0.schema.fields.2.missingValues");
  expect(place(2, "unit")).toBe("resources.0.schema.fields.2.unit");
  const faultOf = (field: string, line: number | null, message = "Too many.") => ({
    path: "a",
    line,
    field,
    message,
  });
  const faults = [
    faultOf("a", 3),
    faultOf("b", 3),
    faultOf("b", 3, "Too few."),
    faultOf("c", null),
    faultOf("d", null),
  ];
  const told = describeFaults(faults).map(({ field, message }: { field: string; message: string }) => [
    field,
    message,
  ]);
  expect(told.join(" ")).toBe("a,Too many. b,Too few. c,Too many. d,Too many.");
});

test("a foreign key of one column is read, by the name of a resource that nobody has as well, and others are told", () => {
  const toKey = (fields: unknown, reference: unknown) => ({ fields, reference });
  const read = (...foreignKeys: object[]) =>
    readColumns(
      { fields: [{ name: "x" }, { name: "y" }], foreignKeys },
      { path: "b.csv", name: "b", title: "B" },
    );
  const toReference = (label: string) => [{ name: "x", references: { label, column: "id" } }];
  expect(read(toKey(["x"], { resource: "b", fields: ["id"] }))).toEqual([toReference("B"), []]);
  expect(read(toKey("x", { resource: "", fields: "id" }))).toEqual([toReference("a"), []]);
  expect(read(toKey("x", { resource: "c", fields: "id" }))).toEqual([toReference("c"), []]);
  for (const key of [
    toKey(["x", "y"], { fields: ["id", "no"] }),
    toKey("z", { fields: "id" }),
    toKey("x", "b"),
    toKey("x", { fields: ["id", "no"] }),
  ])
    expect(read(key)).toEqual([undefined, ["schema.foreignKeys"]]);
  const first = toKey("x", { resource: "b", fields: "id" });
  expect(read(first, toKey("x", { fields: "no" }))).toEqual([toReference("B"), ["schema.foreignKeys"]]);
});

test.each<[string, object, string[]]>([
  ["a second licence", { licenses: [{ name: "CC0-1.0" }, { name: "MIT" }] }, ["licenses.1"]],
  ["a licence without a list", { licenses: "CC0-1.0" }, ["licenses"]],
  ["a source that is a text", { sources: ["Gauges"] }, ["sources"]],
  [
    "members of nobody",
    { version: "1", sources: [{ title: "A", email: "b" }] },
    ["version", "sources.email"],
  ],
  ["a schema elsewhere", { resources: [{ path: "a.csv", schema: "a.json" }] }, ["resources.schema"]],
  ["a dialect elsewhere", { resources: [{ path: "a.csv", dialect: "a.json" }] }, ["resources.dialect"]],
  ["fields by names", { resources: [{ path: "a.csv", schema: { fields: ["x"] } }] }, ["schema.fields"]],
  [
    "marks without columns",
    { resources: [{ path: "a.csv", schema: { missingValues: ["NA"] } }] },
    ["schema.missingValues"],
  ],
  [
    "the word of a mark",
    {
      resources: [
        { path: "a.csv", schema: { fields: [{ name: "x", missingValues: [{ value: "-9", label: "no" }] }] } },
      ],
    },
    ["fields.missingValues.label"],
  ],
  ["nothing but nulls", { licenses: null, sources: null, resources: [{ path: "a.csv", schema: null }] }, []],
])("%s is told where it is not read", (_name, value, ignored) => {
  expect(readPackage(value).ignored).toEqual(ignored);
});

test("a category and a mark of another form go to the site as they are, which says so", () => {
  const categories = [1, "a", { label: "none" }, { value: ["b"] }, null];
  const read = readColumns({ fields: [{ name: "x", categories, missingValues: ["", 0, null, ["9"]] }] });
  const values = ["1", "a", undefined, ["b"], null];
  expect(read[0][0].categories.map(({ value }: { value: unknown }) => value)).toEqual(values);
  expect(read[0][0].missing_values).toEqual([0, null, ["9"]]);
});

test("no member of broadsheet takes the place of the files, or of the place of a fault", () => {
  const columns = [{ name: "x", missing_values: 5 }];
  const resource = { path: "a.csv", encoding: null, schema: null, broadsheet: { dictionary: { columns } } };
  const value = { broadsheet: { attachments: null }, resources: [resource] };
  const { payload, files } = readPackage(value);
  expect([payload.attachments.length, files[0].dialect]).toEqual([1, null]);
  const field = ["attachments", "0", "dictionary", "columns", "0", "missing_values"];
  expect(toPlace({ resources: [resource] }, payload, field)[0]).toBe("resources");
});

test.each([null, 5, {}, ["x"]])(
  "a body that is %j goes to the site, which says what belongs there",
  (body_markdown) => {
    const work = { payload: { body_markdown }, links: [], charts: [], above: 0, file: "a" };
    addTargets({ works: [], site: "", faults: [] }, work);
    expect([work.charts, findLine({ body_markdown }, 1, "Chart 1: mark")]).toEqual([[], 1]);
  },
);

test("a large package that others wrote is read, and what is left of it told", () => {
  const others = JSON.parse(readFileSync(resolve("node_modules/vega-datasets/datapackage.json"), "utf8"));
  const { payload, files, ignored } = readPackage(others);
  expect([files.length, payload.license]).toEqual([others.resources.length, others.licenses[0].name]);
  expect(ignored).toEqual(expect.arrayContaining(["contributors", "resources.sources"]));
});
