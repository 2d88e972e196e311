import { expect, test } from "vitest";
import { parse, stringify } from "yaml";
import type { Json } from "../support/agent.ts";
import { some } from "../support/depth.ts";
import { HARBOUR, writeFiles } from "./harbour.ts";
import { openStage } from "./stage.ts";

const WRONG: readonly Json[] = [null, 5, "x", [], {}, [null], [5], [{}], { a: 1 }, true];

/** A value once with each wrong one in the place of each of its parts. */
function* spoil(value: Json): Generator<Json> {
  yield* WRONG;
  for (const name of Object.keys(Object(value) === value ? value : {}))
    for (const wrong of spoil(value[name]))
      yield Object.assign(Array.isArray(value) ? [...value] : { ...value }, { [name]: wrong });
}

const read = (name: string) => HARBOUR[name] ?? "";
const [, matter = "", body] = read("november-surge.md").split("---\n");
const described = JSON.parse(read("gauge/datapackage.json"));
const [readings] = described.resources;
readings.schema.foreignKeys = [{ fields: "station", reference: { resource: "readings", fields: "station" } }];
readings.schema.fields[0].categories = ["a", { value: "b", label: "B" }];
readings.broadsheet = { dictionary: { columns: [{ name: "station", missing_values: ["x"] }] } };
const listed = { title: "T", attachments: [{ path: "a.md", label: "A" }] };

test("whatever stands where another type belongs is refused by its place, or taken", async () => {
  const { client } = await openStage();
  const spoilt: Record<string, string>[] = [
    ...spoil(described).map((one) => ({ "gauge/datapackage.json": JSON.stringify(one) })),
    ...spoil(parse(matter)).map((one) => ({ "november-surge.md": `---\n${stringify(one)}---\n${body}` })),
    ...spoil(parse(read("profile.yml"))).map((one) => ({ "profile.yml": stringify(one) })),
    ...spoil(parse(read("storms.collection.yml"))).map((one) => ({
      "storms.collection.yml": stringify(one),
    })),
    ...spoil(listed).map((one) => ({ "minutes/files.yml": stringify(one), "minutes/a.md": "Words.\n" })),
  ];
  expect(spoilt.length).toBeGreaterThan(800);
  for (const files of some(spoilt, 40)) {
    const folder = await writeFiles({ ...HARBOUR, ...files });
    const { exit, json, stderr } = await client(folder, "publish", ".", "--dry-run");
    const said = `${JSON.stringify(files)}\n${JSON.stringify(json)}\n${stderr}`;
    expect([exit <= 1, json?.errors.filter(({ code }: Json) => code === "client_failed")], said).toEqual([
      true,
      [],
    ]);
  }
}, 600_000);

test("a dictionary whose columns are none is refused by its place", async () => {
  const { client } = await openStage();
  for (const columns of [5, [null]]) {
    const resource = { name: "t", path: "t.csv", broadsheet: { dictionary: { columns } } };
    const folder = await writeFiles({
      "d/datapackage.json": JSON.stringify({ title: "D", description: "Two.", resources: [resource] }),
      "d/t.csv": "a,b\n1,2\n",
    });
    const { json } = await client(folder, "publish", ".");
    expect(json.errors[0], JSON.stringify(json)).toMatchObject({
      path: "d/datapackage.json",
      code: "validation_failed",
      field: expect.stringContaining("dictionary.columns"),
    });
  }
});

test("a fault behind what is named first, and one of how a file is read, have their own lines", async () => {
  const { client } = await openStage();
  const unknown = "{ creation_id: 01M8R7W5GEA0QC6TTJ9ZVABF54, relation: cites }";
  const resource = { name: "t", path: "t.csv", encoding: "latin-9", dialect: { delimiter: "ab" } };
  const folder = await writeFiles({
    "one.md": `---\ntitle: One\nreferences:\n  - { to: two.md, relation: cites }\n  - ${unknown}\n---\nWords.\n`,
    "two.md": "---\ntitle: Two\n---\nWords.\n",
  });
  const { json } = await client(folder, "publish", ".");
  expect(json.errors, JSON.stringify(json)).toMatchObject([{ path: "one.md", line: 5 }]);
  const set = { title: "D", description: "Two.", resources: [resource] };
  await writeFiles({ "d/datapackage.json": JSON.stringify(set, null, 1), "d/t.csv": "a,b\n1,2\n" }, folder);
  const read = await client(folder, "publish", ".");
  expect(read.json.errors, JSON.stringify(read.json)).toMatchObject([
    { path: "d/datapackage.json", line: 10, field: "dialect.delimiter" },
    { path: "d/datapackage.json", line: 8, field: "dialect.encoding" },
  ]);
});
