import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { eraseCreation } from "../../../../shared/care/erasure/erase-creation.ts";
import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import { connectAuthor, type Json, request } from "../../../support/agent.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { act } from "../../../support/work-acts.ts";
import { publishFile, republish } from "../bound-charts/texts.ts";

const service = await openService();
const [author, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);

// The oracle: sums of whole numbers by station, in the order of their first rows, and the hash of their RFC 8785 form.

const toCsv = (rows: [string, number][]) => `s,v\n${rows.map((row) => row.join(",")).join("\n")}\n`;
const SUMS = { group: [{ column: "s" }], aggregate: [{ op: "sum", column: "v", as: "sum" }] };
function sumRows(rows: [string, number][]): [string, number][] {
  const sums = new Map<string, number>();
  for (const [station, value] of rows) sums.set(station, (sums.get(station) ?? 0) + value);
  return [...sums];
}
const shaOf = (rows: [string, number][]) => {
  const cells = rows.map(([station, sum]) => `["${station}","${sum}"]`).join(",");
  return createHash("sha256").update(`{"columns":["s","sum"],"rows":[${cells}]}`).digest("hex");
};
const ROWS: [string, number][] = [
  ["Husum", 3],
  ["Büsum", 5],
  ["Husum", 4],
];

const path = "/watches/questions/sums";
const watch = ({ id }: Json) => reader.send("PUT", path, { creation_id: id, question: SUMS }, { key: null });
const end = () => reader.send("DELETE", path, undefined);

let after = "";
/** What the reader is told of answers since the last call. */
async function news(): Promise<Json[]> {
  await untilJobsAreDone(service);
  await sequenceEvents(service.deps);
  const { json } = await reader.get(`/events?by=others&types=question.answered&per_page=100${after}`);
  after = `&after=${json.meta.cursor}`;
  return json.data;
}
const told = async () => (await news()).map(({ data }) => data);

test("an answer is watched, and only another one is told", async () => {
  const { dataset } = await publishFile(service, author, { content: toCsv(ROWS) });
  const put = await watch(dataset);
  expect(put.status).toBe(200);
  const sums = sumRows(ROWS);
  const { query_url } = put.json.data;
  expect(put.json.data).toMatchObject({
    ...{ name: "sums", creation_id: dataset.id, label: "Gauge readings", revision_number: 1 },
    ...{ state: "answered", answer: { columns: ["s", "sum"], rows: sums }, answer_sha256: shaOf(sums) },
    ...{ rows_total: 2, question: SUMS },
  });
  const asked = await request(service, {
    method: "GET",
    url: new URL(query_url).pathname + new URL(query_url).search,
  });
  expect(asked.json.data.rows).toEqual(sums);
  // Other bytes with the same answer.
  await republish(service, author, dataset, toCsv([...ROWS, ["Husum", 0]]));
  expect(await told()).toEqual([]);
  const moved: [string, number][] = [["Husum", 9], ...ROWS.slice(1), ["Tönning", 1]];
  const newer = await republish(service, author, dataset, toCsv(moved));
  const [event, ...others] = await news();
  expect(others).toEqual([]);
  const answered = {
    ...{ name: "sums", state: "answered", revision_number: 3, answer_sha256: shaOf(sumRows(moved)) },
    ...{ rows_changed: 3, query_url: query_url.replace(/media\/\w+/, `media/${newer.id}`) },
  };
  expect(event).toMatchObject({
    ...{ type: "question.answered", reason: "watch", agent_id: author.id, creation_id: dataset.id },
    data: answered,
  });
  expect(Object.keys(event.data).toSorted()).toEqual(Object.keys(answered).toSorted());
  // The order alone.
  await republish(service, author, dataset, toCsv(moved.toReversed()));
  expect(await told()).toMatchObject([{ revision_number: 4, rows_changed: 0 }]);
  const list = await reader.get("/watches/questions");
  expect(list.json.data).toMatchObject([{ name: "sums", revision_number: 4, rows_total: 3 }]);
  for (const _ of [1, 2]) expect((await end()).status).toBe(204);
  await republish(service, author, dataset, toCsv(ROWS));
  expect([await told(), (await reader.get("/watches/questions")).json.meta.total]).toEqual([[], 0]);
});

test("what cannot be asked or is closed is told once, and once more where it is answered again", async () => {
  const { dataset } = await publishFile(service, author, { content: toCsv(ROWS) });
  await watch(dataset);
  const none = { revision_number: null, answer_sha256: null, rows_changed: null, query_url: null };
  const again = { name: "sums", state: "answered", answer_sha256: shaOf(sumRows(ROWS)), rows_changed: 0 };
  const cannot = { name: "sums", state: "cannot_be_asked", ...none };
  const closed = { name: "sums", state: "source_closed", ...none };
  await republish(service, author, dataset, toCsv(ROWS).replace("v", "value"));
  expect(await told()).toEqual([cannot]);
  await republish(service, author, dataset, toCsv(ROWS).replace("v", "metres"));
  expect(await told()).toEqual([]);
  expect((await reader.get("/watches/questions")).json.data).toMatchObject([
    { state: "cannot_be_asked", answer_sha256: null, rows_total: null, query_url: null },
  ]);
  await republish(service, author, dataset, toCsv(ROWS));
  expect(await told()).toMatchObject([{ ...again, revision_number: 4 }]);
  await act(author, dataset, "unpublish");
  expect(await told()).toEqual([closed]);
  await act(author, dataset, "restore", { revision_id: dataset.latest_revision.id });
  expect(await told()).toMatchObject([again]);
  await act(author, dataset, "visibility", { visibility: "unlisted" });
  expect(await told()).toEqual([closed]);
  await act(author, dataset, "visibility", { visibility: "public" });
  await told();
  for (const [command, state] of [
    ["suspend", "source_closed"],
    ["unsuspend", "answered"],
  ] as const) {
    await runAgentCommand(service.deps, COMMAND_LINE, author.id, command);
    expect(await told()).toMatchObject([{ state }]);
  }
  await eraseCreation(service.deps, COMMAND_LINE, dataset.id);
  expect(await told()).toEqual([closed]);
  const kept = await runSql(service, "SELECT q::text AS text FROM standing_questions q WHERE name = 'sums'");
  expect(kept[0].text).toContain("removed");
  expect(kept[0].text).not.toContain("Gauge readings");
  await end();
});
