import { expect, test } from "vitest";
import { deleteAccount } from "../../../../shared/care/owners/leave.ts";
import { askStanding, sweepStanding } from "../../../../shared/datasets/evidence/ask-standing.ts";
import { watchQuestion } from "../../../../shared/datasets/evidence/watch-questions.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { connectAuthor, type Json, makeCreation, publish, publishNew } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { act, revise } from "../../../support/work-acts.ts";
import { call } from "../../mcp/rpc.ts";

const service = await openService({ workers: false, limits: { watchedQuestions: 2 } });
const [author, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);

/** A payload of files: their labels with their CSV. */
async function payloadOf(files: Record<string, string>): Promise<Json> {
  const attachments: Json[] = [];
  for (const [label, csv] of Object.entries(files))
    attachments.push({ asset_id: (await uploadReady(service, author, `${label}.csv`, csv)).id, label });
  return { title: "Readings", attachments };
}
const publishFiles = async (files: Record<string, string>) =>
  publish(author, await makeCreation(author, { type: "dataset", payload: await payloadOf(files) }));

const work = await publishFiles({ North: "n\n1\n2\n", South: "n\n3\n" });
const question = { columns: ["n"] };
const put = (name: string, body: object, more = {}) =>
  reader.send("PUT", `/watches/questions/${name}`, body, { key: null, ...more });
const list = async () => (await reader.get("/watches/questions")).json.data;
const ask = () => askStanding(service.deps, service.threads, work.id);
let cursor = "";
async function told(): Promise<Json[]> {
  await sequenceEvents(service.deps);
  const { json } = await reader.get(`/events?types=question.answered${cursor}`);
  cursor = `&after=${json.meta.cursor}`;
  return json.data.map(({ data }: Json) => data);
}

const of = { creation_id: work.id, label: "North" };
test.each<[string, object, string[]]>([
  ["no question", of, ["question"]],
  ["a question that is no object", { ...of, question: "n" }, ["question"]],
  ["an unknown member", { ...of, question, format: "csv" }, ["format"]],
  [
    "a misspelt label and member",
    { ...of, label: "Nort", question: { filer: [] } },
    ["label", "question.filer"],
  ],
  ["no label of several", { creation_id: work.id, question }, ["label"]],
  ["facets", { ...of, question: { facet: ["n"] } }, ["question.facet"]],
  [
    "two faults",
    { ...of, question: { q: "a".repeat(300), columns: ["m"] } },
    ["question.q", "question.columns.0"],
  ],
  [
    "a cell that is no number",
    { ...of, question: { group: [{ column: "n", by: "year" }] } },
    ["question.group.0.by"],
  ],
])("%s is refused on its member", async (_, body, fields) => {
  const reply = await put("one", body);
  expect([reply.status, Object.keys(reply.json.errors).toSorted()]).toEqual([422, fields.toSorted()]);
});

test("the nearest label is said, and a name is a slug", async () => {
  const reply = await put("one", { ...of, label: "Nort", question });
  expect(reply.json.errors.label[0]).toContain("Did you mean North?");
  for (const method of ["PUT", "DELETE"] as const) {
    const reply = await reader.send(
      method,
      "/watches/questions/One",
      method === "PUT" ? { ...of, question } : {},
    );
    expect([reply.status, Object.keys(reply.json.errors)]).toEqual([422, ["name"]]);
  }
});

test("what is not public is not found, own works neither, and an answer has at most 10,000 rows", async () => {
  const rows = (count: number) => `n\n${Array.from({ length: count }, (_, at) => `${at}\n`).join("")}`;
  const large = await publishFiles({ Much: rows(10_001) });
  const body = { creation_id: large.id, question: {} };
  expect((await put("large", body)).json.errors.question[0]).toContain("more than 10000 rows");
  const whole = await put("large", { ...body, question: { limit: 10_000 } });
  expect([whole.json.data.rows_total, whole.json.data.answer.rows.length]).toEqual([10_000, 20]);
  const hundred = await put("large", { ...body, question: { limit: 100 } });
  expect([hundred.json.data.rows_total, hundred.json.data.question]).toEqual([100, { limit: 100 }]);
  await act(author, large, "visibility", { visibility: "unlisted" });
  for (const agent of [reader, author])
    expect((await agent.send("PUT", "/watches/questions/large", body)).status).toBe(404);
  expect((await reader.send("DELETE", "/watches/questions/large", undefined)).status).toBe(204);
});

test("one of the same name replaces, others up to the limit are listed, and a key is replayed", async () => {
  const key = "0b9f7f0e-6d6c-4f0a-9d0e-0c2f8e2f5a11";
  const first = await put("one", { ...of, question }, { key });
  expect((await put("one", { ...of, question }, { key })).headers["idempotent-replayed"]).toBe("true");
  expect(first.json.data.answer).toEqual({ columns: ["n"], rows: [["1"], ["2"]] });
  const minimal = await put(
    "two",
    { ...of, label: "South", question },
    { headers: { prefer: "return=minimal" } },
  );
  expect([minimal.status, "answer" in minimal.json.data]).toEqual([200, false]);
  const full = await put("three", { ...of, question });
  expect([full.status, full.json.code]).toEqual([409, "quota_exhausted"]);
  expect((await put("one", { ...of, question: { aggregate: [{ op: "count" }] } })).status).toBe(200);
  expect(await list()).toMatchObject([
    { name: "two", label: "South", rows_total: 1, question },
    { name: "one", question: { aggregate: [{ op: "count", as: "count" }] } },
  ]);
  await put("one", { ...of, question });
});

test("updates that are asked as one are told as one, by the names of files whose revision is gone too", async () => {
  for (const n of [5, 6])
    await revise(author, work, { payload: await payloadOf({ South: "n\n3\n", North: `n\n${n}\n` }) });
  expect(await told()).toEqual([]);
  expect(await list()).toMatchObject([{ revision_number: 1 }, { revision_number: 1 }]);
  await ask();
  await ask();
  expect(await told()).toMatchObject([{ name: "one", revision_number: 3, rows_changed: 3 }]);
  await removeContent(service.deps, COMMAND_LINE, work.latest_revision.id, "moderator");
  await revise(author, work, { payload: await payloadOf({ South: "n\n4\n", North: "n\n6\n" }) });
  // A worker of the version before did the job, and left what is watched.
  await runSql(service, "DELETE FROM pending_work WHERE kind = 'ask-standing'");
  expect(await sweepStanding(service.deps)).toBe(1);
  await ask();
  expect(await told()).toMatchObject([{ name: "two", revision_number: 4, rows_changed: 2 }]);
  await revise(author, work, { payload: await payloadOf({ East: "n\n6\n" }) });
  await ask();
  const states = async () => (await told()).map(({ state }) => state);
  expect(await states()).toEqual(["cannot_be_asked", "cannot_be_asked"]);
  await act(author, work, "unpublish");
  await runSql(service, "DELETE FROM pending_work WHERE kind = 'ask-standing'");
  expect(await sweepStanding(service.deps)).toBe(1);
  await ask();
  expect(await states()).toEqual(["source_closed", "source_closed"]);
  expect(await sweepStanding(service.deps)).toBe(0);
});

test("a question is of the work that it names, whoever else has its file", async () => {
  await Promise.all(
    ["one", "two"].map((name) => reader.send("DELETE", `/watches/questions/${name}`, undefined)),
  );
  const payload = await payloadOf({ North: "n\n1\n" });
  const [elder, other] = [
    await publishNew(author, { type: "dataset", payload }),
    await publishNew(author, { type: "dataset", payload }),
  ];
  await put("one", { creation_id: other.id, question });
  await revise(author, elder, { payload: await payloadOf({ North: "n\n2\n" }) });
  await askStanding(service.deps, service.threads, elder.id);
  await revise(author, other, { payload: await payloadOf({ North: "n\n9\n" }) });
  await askStanding(service.deps, service.threads, other.id);
  expect(await told()).toMatchObject([{ revision_number: 2, rows_changed: 2 }]);
});

test("what goes live while the question is asked is told", async () => {
  const dataset = await publishFiles({ North: "n\n1\n" });
  const kind = watchQuestion(service.threads);
  const agent = { id: reader.id } as never;
  const found = { id: "late", what: "question", lockVersion: 0 };
  const body = { creation_id: dataset.id, question };
  const asked = await kind.prepare(service.deps, { agent } as never, body, found);
  await revise(author, dataset, { payload: await payloadOf({ North: "n\n2\n" }) });
  await service.deps.pool.transaction((tx) => kind.perform(tx, service.deps, agent, asked, found));
  const orders = "SELECT 1 FROM pending_work WHERE kind = 'ask-standing' AND subject = $1";
  expect(await runSql(service, orders, [dataset.id])).toHaveLength(1);
  await askStanding(service.deps, service.threads, dataset.id);
  expect(await told()).toMatchObject([{ name: "late", revision_number: 2, rows_changed: 2 }]);
  await reader.send("DELETE", "/watches/questions/late", undefined);
});

test("the tool watches without cells and ends, and who leaves watches no more", async () => {
  const args = { ...of, creation_id: (await list())[0].creation_id, name: "two", question, on: true };
  const watched = await call(service, reader.token, "watch", args);
  expect(watched.json.data).toMatchObject({ name: "two", state: "answered", rows_total: 1 });
  expect(watched.json.data.answer).toBeUndefined();
  const ended = await call(service, reader.token, "watch", { name: "one", on: false });
  expect([ended.isError, (await list()).map(({ name }: Json) => name)]).toEqual([false, ["two"]]);
  const [{ email }] = await runSql(service, "SELECT email FROM owners WHERE id = $1", [reader.ownerId]);
  const session = { owner: { id: reader.ownerId, email } } as never;
  await deleteAccount(service.deps, session, email, "01M7W2Y7M09S3YWH218MX49N3E");
  expect(await runSql(service, "SELECT 1 FROM standing_questions WHERE kind = 'watch'")).toEqual([]);
});
