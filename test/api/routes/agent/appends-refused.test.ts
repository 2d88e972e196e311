import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openSentRows } from "../../../../shared/datasets/uploads/sent-part.ts";
import { authenticate } from "../../../../shared/identity/writes/authenticate.ts";
import { appendRows } from "../../../../shared/works/creations/append-rows.ts";
import { connectAuthor, type Json, publishNew, type Reply } from "../../../support/agent.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { BASE, PART } from "./append.ts";
import { openRowAppends, type Part } from "./append-rows.ts";

const service = await openService({ limits: { processingUploads: 100 } });
const agent = await connectAuthor(service);
const { makeDataset, append, appendForm, readState } = openRowAppends(service, agent);

test("each refusal names its member and keeps nothing", async () => {
  const { lock_version: _, ...story } = await publishNew(agent);
  const one = await makeDataset([["Readings", "readings.csv", BASE]]);
  const two = await makeDataset([
    ["One", "one.csv", BASE],
    ["Two", "two.csv", BASE],
  ]);
  const text = await makeDataset([["Document", "a.json", '{"rows":[{"a":1}]}']]);
  const described = await makeDataset([["Keyed", "keyed.csv", BASE]], {
    dictionary: { primary_key: ["station"], columns: [{ name: "station" }] },
  });
  const row = { station: "Wismar", height_m: 1 };
  const file: Part = ["file", PART, "today.csv"];
  const before = await readState();
  const told = async (reply: Promise<Reply>) => {
    const { status, json } = await reply;
    return [
      status,
      json.code,
      Object.entries(json.errors ?? {}).map(([name, [said]]: Json) => `${name}: ${said}`),
    ];
  };
  const cases: [Promise<Reply>, number, string, RegExp[]][] = [
    [append({ ...story, lock_version: 2 }, { rows: [row] }), 409, "not_tabular", []],
    [append(two, { rows: [row] }), 422, "validation_failed", [/^label: .*"One", "Two"/]],
    [append(two, { rows: [row], label: "Tow" }), 422, "validation_failed", [/^label: .*mean Two\?/]],
    [append(text, { rows: [row] }), 422, "validation_failed", [/^label: .*JSON document/]],
    [append(one, {}), 422, "validation_failed", [/^rows: Send the new rows/]],
    [append(one, { rows: [] }), 422, "validation_failed", [/^rows: .*at least 1/]],
    [
      append(one, { rows: [row], signature: { kid: "a", sig: "b" } }),
      422,
      "validation_failed",
      [/^signature: Nobody can sign an append: /],
    ],
    [append(one, { rows: [1] }), 422, "validation_failed", [/^rows\.0: .*object/]],
    [append(one, { rows: [row], row: 1, label: "x" }), 422, "validation_failed", [/^row: /, /^label: /]],
    [
      append(one, { rows: [row], minor: true, correction: true }),
      422,
      "validation_failed",
      [/^correction: /],
    ],
    [
      append(one, { rows: [row, { station: [1], heigth_m: 1 }] }),
      422,
      "validation_failed",
      [
        /^rows\.1\.station: .*no list/,
        /^rows\.1\.heigth_m: .*mean height_m\?/,
        /^rows\.1\.height_m: .*lacks/,
      ],
    ],
    [
      append(one, { rows: [{ ...row, station: "\ud800" }] }),
      422,
      "validation_failed",
      [/^rows\.0\.station: /],
    ],
    [
      append(described, { rows: [{ ...row, station: "Bremen" }] }),
      422,
      "validation_failed",
      [/^payload\.attachments\.0/],
    ],
    [append(one, { rows: [row] }, { ifMatch: 99 }), 412, "version_mismatch", []],
    [appendForm(one, [["rows", "[]"], file]), 422, "validation_failed", [/^rows: .*not both/]],
    [appendForm(one, [["label", "Readings"]]), 422, "validation_failed", [/^rows: /]],
    [appendForm(one, [file, ["label", "Readings"]]), 422, "validation_failed", [/^label: .*behind the file/]],
    [appendForm(one, [["label", "a"], ["label", "b"], file]), 422, "validation_failed", [/^label: .*twice/]],
    [appendForm(one, [["lable", "Readings"], file]), 422, "validation_failed", [/^lable: .*mean label\?/]],
    [appendForm(one, [["file", "[]", "today.json"]]), 422, "validation_failed", [/^file: .*\.csv file/]],
    [
      appendForm(one, [["file", `${PART}Kiel\n`, "today.csv"]]),
      422,
      "validation_failed",
      [/^file: Row 4 .*you sent/],
    ],
    [
      appendForm(one, [["file", "a,b\n1,2\n", "today.csv"]]),
      422,
      "validation_failed",
      [/^file: The header names/],
    ],
    [
      appendForm(one, [["file", "station,height_m\n", "today.csv"]]),
      422,
      "validation_failed",
      [/^file: The file has no rows/],
    ],
    [appendForm(one, [file], { ifMatch: 99 }), 412, "version_mismatch", []],
  ];
  for (const [reply, status, code, sentences] of cases) {
    const [said, known, errors] = await told(reply);
    expect([said, known, (errors as string[]).length]).toEqual([status, code, sentences.length]);
    for (const [at, sentence] of sentences.entries()) expect((errors as string[])[at]).toMatch(sentence);
  }
  expect(await readState()).toEqual(before);
});

const FILE: Part = ["file", PART, "today.csv"];
const makeReadings = () => makeDataset([["Readings", "readings.csv", BASE]]);

test("a form that is sent again gets its answer, whatever became of the file, and keeps no second one", async () => {
  const creation = await makeReadings();
  const key = randomUUID();
  const parts: Part[] = [["change_summary", "Wismar too."], ["publish", "{}"], FILE];
  const first = await appendForm(creation, parts, { key });
  const other = (await agent.upload("other.csv", "a\n1\n")).json.data;
  const swap = { changes: { files: [{ label: "Readings", asset_id: other.id }] } };
  const ifMatch = first.json.data.lock_version;
  await agent.send("PATCH", `/creations/${creation.id}`, swap, { ifMatch });
  const before = await readState();
  for (const version of [creation.lock_version, ifMatch + 1]) {
    const again = await appendForm(creation, parts, { key, ifMatch: version });
    expect([again.status, again.headers["idempotent-replayed"], again.text]).toEqual([
      200,
      "true",
      first.text,
    ]);
  }
  const mismatched = await appendForm(creation, [["publish", "{}"], FILE], { key });
  expect(mismatched.json.code).toBe("idempotency_mismatch");
  expect((await append(creation, { rows: [{ a: 1 }] }, { key })).json.code).toBe("idempotency_mismatch");
  expect(await readState()).toEqual(before);
});

test("of the same call sent several times at once one is carried out", async () => {
  const creation = await makeReadings();
  const before = await readState();
  const key = randomUUID();
  const replies = await Promise.all([1, 2, 3].map(() => appendForm(creation, [FILE], { key })));
  for (const { status, json } of replies)
    expect([200, 409], json.code).toContain(
      status === 409 && json.code !== "idempotency_in_progress" ? 0 : status,
    );
  const again = await appendForm(creation, [FILE], { key });
  expect([again.status, again.headers["idempotent-replayed"]]).toEqual([200, "true"]);
  const after = await readState();
  expect(after).toMatchObject({ assets: before.assets + 1, revisions: before.revisions + 1 });
  expect((await agent.get(`/creations/${creation.id}`)).json.data.latest_revision.revision_number).toBe(2);
});

test("an inspection that takes too long is 503 with the way for large files, and nothing is kept", async () => {
  const creation = await makeReadings();
  const before = await readState();
  const { deps, threads } = service;
  const caller = { agent: await authenticate(deps, `Bearer ${agent.token}`), address: "::1", requestId: "x" };
  const members = { rows: [{ station: "Wismar", height_m: 1 }] };
  const sent = openSentRows(threads, JSON.stringify(members));
  const request = {
    ...{
      method: "POST",
      route: "/creations/{creation}/append",
      params: { creation: creation.id },
      faults: {},
    },
    ...{ body: {}, members, sent, idempotencyKey: randomUUID(), ifMatch: String(creation.lock_version) },
  };
  const held = Promise.withResolvers<void>();
  const holding = deps.inspectors({ key: "another" }, () => held.promise);
  const refusal = await appendRows(deps, threads, caller, request, 100).catch((error) => error);
  held.resolve();
  await holding;
  expect(refusal).toMatchObject({
    status: 503,
    retryAfterSeconds: expect.any(Number),
    hint: expect.stringMatching(/base_asset_id.*changes\.files/),
  });
  expect(await readState()).toEqual(before);
  expect((await appendRows(deps, threads, caller, request)).status).toBe(200);
});

test("what publishing refuses saves nothing, and the token needs all abilities", async () => {
  const creation = await makeDataset([["Readings", "readings.csv", BASE]]);
  const rows = [{ station: "Wismar", height_m: 1 }];
  // What its save ordered writes to its rows, too.
  await untilJobsAreDone(service);
  await runSql(service, "UPDATE creations SET hidden_at = now() WHERE id = $1", [creation.id]);
  const before = await readState();
  const hidden = await append(creation, { rows, publish: {} });
  expect([hidden.status, hidden.json.code]).toEqual([409, "publication_not_eligible"]);
  const limit = (abilities: string[]) =>
    runSql(service, "UPDATE tokens SET abilities = $2 WHERE agent_id = $1", [agent.id, abilities]);
  const [known] = await runSql(service, "SELECT abilities FROM tokens WHERE agent_id = $1", [agent.id]);
  await limit(["creations:write", "creations:publish"]);
  expect((await append(creation, { rows })).json.message).toContain("assets:write");
  await limit(["creations:write", "assets:write"]);
  expect((await append(creation, { rows, publish: {} })).json.message).toContain("creations:publish");
  expect(await readState()).toEqual(before);
  await limit(known?.abilities as string[]);
  await runSql(service, "UPDATE agents SET file_count = 1e6 WHERE id = $1", [agent.id]);
  expect((await append(creation, { rows })).json.code).toBe("asset_count_exhausted");
});
