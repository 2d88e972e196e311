import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { connectAgent, makeForm, type Reply, request } from "../../../support/agent.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { dumpTables, listStoredFiles, runSql } from "../../../support/tables.ts";

const service = await openService({ limits: { fileBytes: 200_000 }, config: { uploadWaitMs: 15_000 } });
const agent = await connectAgent(service);

/** Everything that an upload could leave behind. */
async function leftovers() {
  const [usage] = await runSql(service, "SELECT file_count, storage_bytes FROM agents WHERE id = $1", [
    agent.id,
  ]);
  const assets = await runSql(service, "SELECT id FROM assets ORDER BY id");
  const keys = await runSql(service, "SELECT key FROM idempotency_keys ORDER BY key");
  return { usage, assets, keys, files: await listStoredFiles(service) };
}

async function expectRefusal(reply: Reply, sentence: RegExp): Promise<void> {
  expect([reply.status, reply.json.code, Object.keys(reply.json.errors)]).toEqual([
    422,
    "validation_failed",
    ["file"],
  ]);
  expect(reply.json.errors.file).toEqual([expect.stringMatching(sentence)]);
  expect(reply.json.message).toBe(reply.json.errors.file[0]);
}

/** One of each kind: what inspections refuse is tried whole in test/shared/tables/inspection. */
const WRONG: [name: string, filename: string, content: string | Buffer, sentence: RegExp][] = [
  ["a ragged row", "a.csv", "a,b\n1,2\n3\n", /Row 3 has 1 value; the header has 2/],
  ["row names that R wrote", "r.csv", "a,b\n1,1,2\n2,3,4\n", /Row 2 has 3 values.*row\.names=FALSE in R/],
  ["Latin-1", "a.csv", Buffer.from("a\ncaf\xe9\n", "latin1"), /^Line 2 \(byte 6\) .*byte E9, "é".*iconv/],
  ["NUL in a text", "a.txt", "a\u0000b", /NUL/],
  ["JSON with a trailing comma", "a.json", "[1,\n2,\n]", /[Ll]ine 3/],
  ["an empty JSON file", "a.json", "", /[Ll]ine 1|empty|no byte/],
  ["a PDF by name", "a.pdf", "%PDF-1.7", /\.csv, \.tsv, \.json, \.jsonl, \.txt or \.md/],
  ["only an ending of another name", "csv", "a\n1\n", /must end in/],
  ["another Markdown ending", "a.markdown", "# hi", /must end in .*name this Markdown file \.md/],
  ["a sheet by name", "a.XLSX", "PK", /must end in .*save the table as CSV/],
  ["bars by name", "a.psv", "a|b\n", /must end in .*form field dialect/],
  ["an ending that objects inherit", "a.constructor", "a\n", /must end in/],
  ["too many bytes", "a.csv", `a\n${"1\n".repeat(100_001)}`, /larger than 200000 bytes/],
  ["a bidirectional name", "a\u202evsc.csv", "a\n1\n", /name.*(zero-width|bidirectional)/],
  ["a name too long", `${"a".repeat(252)}.csv`, "a\n1\n", /1 to 255 characters/],
];

test.each(WRONG)("%s is refused by name, and nothing is stored", async (...given) => {
  const [, filename, content, sentence] = given;
  const before = await leftovers();
  await expectRefusal(await agent.upload(filename, content), sentence);
  expect(await leftovers()).toEqual(before);
});

/** One that is refused by what is in it, and one unread. */
const READ_OR_NOT = WRONG.filter(([name]) => ["a ragged row", "a PDF by name"].includes(name));

test.each(READ_OR_NOT)("the key of %s stays free", async (...given) => {
  const [, filename, content, sentence] = given;
  const key = randomUUID();
  for (const _ of ["first", "again"])
    await expectRefusal(await agent.upload(filename, content, { key }), sentence);
  const mended = await agent.upload("mended.csv", "a\n1\n", { key });
  expect([mended.status, mended.json.data?.readiness]).toEqual([201, "ready"]);
});

async function sendForm(type: string, body: Buffer): Promise<Reply> {
  const headers = {
    authorization: `Bearer ${agent.token}`,
    "idempotency-key": randomUUID(),
    "content-type": type,
  };
  return await request(service, { method: "POST", url: "/api/v1/assets", headers, payload: body });
}

function makeParts(...parts: [disposition: string, content: string][]): { type: string; body: Buffer } {
  const text = parts
    .map(([head, content]) => `--b0\r\nContent-Disposition: form-data; ${head}\r\n\r\n${content}\r\n`)
    .join("");
  return { type: "multipart/form-data; boundary=b0", body: Buffer.from(`${text}--b0--\r\n`) };
}

const FILE: [string, string] = ['name="file"; filename="a.csv"', "a\n1\n"];
const FORMS: [name: string, form: { type: string; body: Buffer }][] = [
  ["no part", { type: "multipart/form-data; boundary=b0", body: Buffer.from("--b0--\r\n") }],
  ["an empty body", { type: "multipart/form-data; boundary=b0", body: Buffer.alloc(0) }],
  ["another field", makeForm("a.csv", "a\n1\n", "upload")],
  ["a text field in place of the file", makeParts(['name="file"', "a,b"])],
  ["an empty file name", makeParts(['name="file"; filename=""', "a\n1\n"])],
  ["two files", makeParts(FILE, ['name="file"; filename="b.csv"', "a\n1\n"])],
  ["two files in two fields", makeParts(FILE, ['name="other"; filename="b.csv"', "a\n1\n"])],
  [
    "too many fields",
    makeParts(...Array.from({ length: 12 }, (_, n): [string, string] => [`name="f${n}"`, "x"]), FILE),
  ],
  ["a field named __proto__", makeParts(['name="__proto__"', "x"], ['name="file"; filename="a"', "x"])],
];

test.each(FORMS)("a form with %s is 422 on file, and nothing is stored", async (_name, form) => {
  const before = await leftovers();
  await expectRefusal(await sendForm(form.type, form.body), /\w/);
  expect(await leftovers()).toEqual(before);
});

test("a form that ends in the middle, and one without a boundary, leave nothing", async () => {
  const before = await leftovers();
  const whole = makeForm("a.csv", "a,b\n1,2\n");
  const cut = await sendForm(whole.type, whole.body.subarray(0, whole.body.length - 20));
  expect([400, 422]).toContain(cut.status);
  const unbound = await sendForm("multipart/form-data", whole.body);
  expect([400, 415, 422]).toContain(unbound.status);
  expect(["http_error", "validation_failed"]).toContain(unbound.json.code);
  expect(await leftovers()).toEqual(before);
});

test("other fields beside the file are ignored, wherever they stand", async () => {
  const before = makeParts(['name="note"', "x"], FILE);
  const after = makeParts(FILE, ['name="note"', "x"]);
  expect((await sendForm(before.type, before.body)).status).toBe(201);
  expect((await sendForm(after.type, after.body)).status).toBe(201);
});

test.each([
  ["no key", null, "idempotency_key_required"],
  ["a key that is no UUID", "abc", "validation_failed"],
])("an upload with %s is refused before its bytes are read", async (_name, key, code) => {
  // A worker still writes the statistics and Parquet of the files before.
  await untilJobsAreDone(service);
  const before = await dumpTables(service);
  const reply = await agent.upload("a.png", "x", { key });
  expect([reply.status, reply.json.code, Object.keys(reply.json.errors)]).toEqual([
    422,
    code,
    ["idempotency_key"],
  ]);
  expect(await dumpTables(service)).toBe(before);
});

test("texts have no inspection, other JSON an outline with its tables", async () => {
  const text = (await agent.upload("empty.txt", "")).json.data;
  expect(text).toMatchObject({
    kind: "document",
    format: "txt",
    bytes: 0,
    readiness: "ready",
    inspection: null,
  });
  const html = (await agent.upload("page.md", "<script>alert(1)</script>")).json.data;
  expect(html).toMatchObject({ kind: "document", format: "md", readiness: "ready", inspection: null });
  const json = (await agent.upload("deep.json", '{"big":12345678901234567890,"rows":[{"a":1}]}')).json.data;
  expect(json.inspection).toMatchObject({ kind: "document", tables: ["rows"] });
});
