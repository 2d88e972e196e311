import { symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Json } from "../support/agent.ts";
import { HARBOUR, writeFiles } from "./harbour.ts";
import { runClient, unpackClient } from "./stage.ts";

// Nobody answers at this site: whatever is refused here is refused before anything is sent.
const SITE = "http://127.0.0.1:9";
const program = await unpackClient(SITE);

const SELF = "a.md 3 references.0.to validation_failed";

async function readFaults(files: Record<string, string>): Promise<Json[]> {
  const folder = await writeFiles(files);
  await symlink(join(folder, "a.md"), join(folder, "linked.csv"));
  const { exit, json } = await runClient(program, { PATH: process.env.PATH }, folder, ["publish", "."]);
  expect([exit, json?.requests], JSON.stringify(json)).toEqual([1, 0]);
  return json.errors.map(({ path, line, field, code }: Json) => [path, line, field, code].join(" "));
}

const text = (matter: string, body = "Words.") => ({ "a.md": `---\n${matter}\n---\n\n${body}\n` });
const packaged = (resource: object) => ({
  "d/datapackage.json": JSON.stringify({ title: "D", resources: [resource] }, null, 1),
});

test.each<[string, Record<string, string>, string[]]>([
  ["a key twice", text("title: A\ntitle: B"), ["a.md 3  validation_failed"]],
  ["an anchor", text("title: A\nsources: &x []"), ["a.md 3  validation_failed"]],
  ["a tag", text("title: !!str A"), ["a.md 2  validation_failed"]],
  ["a merge key", text("title: A\n<<: { summary: B }"), ["a.md 3  validation_failed"]],
  ["front matter without an end", { "a.md": "---\ntitle: A\n" }, ["a.md 1  validation_failed"]],
  ["no members", text("- A"), ["a.md 2  validation_failed"]],
  [
    "a name that is no slug",
    { "Elbe 2026.md": "---\ntitle: A\n---\nB\n" },
    ["Elbe 2026.md 2 slug validation_failed"],
  ],
  ["a text that names itself", text("title: A\nreferences: [{ to: a.md, relation: uses }]"), [SELF]],
  ["an empty front matter", { "a.md": "---\n---\nWords.\n" }, ["a.md 2  validation_failed"]],
  ["an empty package", { "d/datapackage.json": "" }, ["d/datapackage.json 1  validation_failed"]],
  ["empty YAML", { "a.collection.yml": "" }, ["a.collection.yml 1  validation_failed"]],
  ["YAML of a comment alone", { "profile.yml": "# a\n" }, ["profile.yml 1  validation_failed"]],
  [
    "an attachment that is nothing",
    { "d/files.yml": "title: A\nattachments: [null]\n" },
    ["d/files.yml 2 attachments.0.path validation_failed"],
  ],
  [
    "two of one slug",
    { ...text("title: A"), "b.md": "---\ntitle: B\nslug: a\n---\nB\n" },
    ["b.md 3 slug validation_failed"],
  ],
  [
    "a path that is not there",
    text("title: A\nreferences:\n  - { to: none, relation: uses }"),
    ["a.md 4 references.0.to not_found"],
  ],
  [
    "a path outside",
    text("title: A\nreferences:\n  - { to: ../b.md, relation: uses }"),
    ["a.md 4 references.0.to outside_folder"],
  ],
  [
    "a dot name",
    text("title: A\nreferences: [{ to: .git, relation: uses }]"),
    ["a.md 3 references.0.to outside_folder"],
  ],
  [
    "another site",
    text('title: A\nreferences: [{ to: "https://example.org/@a/b", relation: uses }]'),
    ["a.md 3 references.0.to other_site"],
  ],
  [
    "a chart of a file that is not there",
    text(
      "title: A",
      'Words.\n\n```chart\n{ "mark": "bar",\n  "data": { "from": { "file": "d/x.csv" } } }\n```',
    ),
    ["a.md 9 body_markdown not_found"],
  ],
  ["a table in no package", { "x/y.csv": "a\n1\n" }, ["x/y.csv   not_in_a_package"]],
  [
    "a package that is no JSON",
    { "d/datapackage.json": '{ "title": "A", }' },
    ["d/datapackage.json 1  validation_failed"],
  ],
  [
    "a resource without a path",
    packaged({ name: "r" }),
    ["d/datapackage.json 4 resources.0.path validation_failed"],
  ],
  [
    "a resource elsewhere",
    packaged({ name: "r", path: "https://example.org/x.csv" }),
    ["d/datapackage.json 6 resources.0.path validation_failed"],
  ],
  [
    "a file that is not there",
    packaged({ name: "r", path: "x.csv" }),
    ["d/datapackage.json 6 resources.0.path not_found"],
  ],
])("%s is refused with its place, and nothing is sent", async (_, files, faults) => {
  expect(await readFaults(files)).toEqual(faults);
});

test.each(["Late buses: dearer coffee", "@tidewatch", "[{ a: b: c }]"])(
  "the text %s, which YAML reads as another thing, is to be put in quotes",
  async (title) => {
    const folder = await writeFiles(text(`title: ${title}`));
    const { exit, json } = await runClient(program, { PATH: process.env.PATH }, folder, ["publish", "."]);
    const message = expect.stringContaining("in quotes.");
    expect([exit, json.errors[0]]).toMatchObject([1, { path: "a.md", line: 2, message }]);
  },
);

test("what is no work is left alone", async () => {
  const others = {
    "README.md": "---\nx: 1\n---\n",
    "notes.md": "Words.\n",
    ".x/y.csv": "a\n",
    "node_modules/z.csv": "a\n",
  };
  const own = { "gauge/more.md": "---\ntitle: A\n---\n", "gauge/.z.csv": "a\n" };
  // Nothing else of the folder is refused.
  const faulty = { "Elbe 2026.md": "---\ntitle: A\n---\nB\n" };
  expect(await readFaults({ ...HARBOUR, ...others, ...own, ...faulty })).toEqual([
    "Elbe 2026.md 2 slug validation_failed",
  ]);
});

test("a text that is not UTF-8 is refused, since its letters would be lost", async () => {
  const folder = await writeFiles({});
  await writeFile(join(folder, "a.md"), Buffer.from("---\ntitle: Gr\u00f6\u00dfe\n---\nWords.\n", "latin1"));
  const { exit, json } = await runClient(program, { PATH: process.env.PATH }, folder, ["publish", "."]);
  expect([exit, json.errors[0].message]).toEqual([1, "This is not UTF-8; save it as UTF-8."]);
});

test.each([
  ["\u00dcber uns", "call it uber-uns."],
  ["\u65e5\u672c", "call it by letters of a to z."],
])("the name %s is told the slug that it would be", async (name, slug) => {
  const folder = await writeFiles({ [`${name}.md`]: "---\ntitle: A\n---\nB\n" });
  const { json } = await runClient(program, { PATH: process.env.PATH }, folder, ["publish", "."]);
  expect(json.errors[0].message).toBe(`"${name}" is no slug; ${slug}`);
});

test("a table in a dataset below another is to be named by the upper one", async () => {
  const own = {
    "g/sub/datapackage.json": HARBOUR["gauge/datapackage.json"] ?? "",
    "g/sub/readings.csv": "a\n",
  };
  const outer = JSON.stringify({ title: "G", resources: [] });
  const folder = await writeFiles({ "g/datapackage.json": outer, ...own });
  const { json } = await runClient(program, { PATH: process.env.PATH }, folder, ["publish", "."]);
  expect(json.errors).toMatchObject([
    { path: "g/sub/readings.csv", hint: "Name it in g/datapackage.json; nothing else is a work there." },
  ]);
});
