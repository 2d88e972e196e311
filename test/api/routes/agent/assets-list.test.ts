import { expect, test } from "vitest";
import { measureAsset } from "../../../../shared/datasets/uploads/statistics.ts";
import { HOUR_MS } from "../../../../shared/ground/times.ts";
import { connectAgent, connectAuthor, type Json, makeCreation, publish } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { call } from "../../mcp/rpc.ts";

const service = await openService({ limits: { unattachedHours: 24 } });
const agent = await connectAuthor(service);
const plain = await uploadReady(service, agent, "plain.csv", "a,b\n1,2\n");
const odd = await uploadReady(service, agent, "odd.csv", "zip,t\n00501,NA\n01010,2\n");
const ZEROS = {
  code: "leading_zeros",
  message: 'Column "zip" is text: row 2 holds "00501", a code and no number.',
  rows: [2, 3],
  columns: ["zip"],
  count: 2,
};
const MARKS = {
  code: "missing_value_marks",
  message:
    'Column "t" is mixed: row 2 holds "NA" beside numbers. Leave cells empty where nothing is known, or name the mark in missing_values of the dictionary.',
  rows: [2],
  columns: ["t"],
  count: 1,
};

const attach = (more: object = {}) => ({
  type: "dataset",
  payload: {
    title: "Two files",
    attachments: [
      { asset_id: plain.id, label: "Plain" },
      { asset_id: odd.id, label: "Odd", ...more },
    ],
  },
});
const DESCRIBED = { dictionary: { columns: [{ name: "t", missing_values: ["NA"] }] } };
const at = (hint: { code: string }) => ({ ...hint, field: "payload.attachments.1" });

test("an asset has its hints, those from before as notes, and an appended file those of the whole", async () => {
  const { json } = await agent.get(`/assets/${odd.id}`);
  expect(json.data.hints).toEqual([MARKS, ZEROS]);
  const old = await uploadReady(service, agent, "old.csv", "a\n1\n");
  await runSql(service, `UPDATE assets SET hints = '["Look at it."]' WHERE id = '${old.id}'`);
  const before = (await agent.get(`/assets/${old.id}`)).json;
  expect(before.data.hints).toEqual([
    { code: "note", message: "Look at it.", rows: [], columns: [], count: null },
  ]);
});

test("a save and its check tell the hints of files, but for marks that the dictionary names", async () => {
  const saved = await agent.send("POST", "/creations", attach());
  expect(saved.json.warnings).toEqual([at(MARKS), at(ZEROS)]);
  const checked = await agent.send("POST", "/creations/check", attach(), { key: null });
  expect(checked.json.data.warnings).toEqual([at(MARKS), at(ZEROS)]);
  const described = await agent.send("POST", "/creations", { ...attach(DESCRIBED), publish: {} });
  expect([described.status, described.json.warnings]).toEqual([201, [at(ZEROS)]]);
  expect((await agent.get(`/assets/${odd.id}`)).json.data.hints).toEqual([MARKS, ZEROS]);
});

test("marks of nothing are told until the dictionary names each of them", async () => {
  const marked = await uploadReady(service, agent, "marked.csv", "t,u\n-999,5\n3,NA\n4,-\n");
  const codesWith = async (columns: object[]) => {
    const file = {
      asset_id: marked.id,
      label: "Marked",
      ...(columns.length > 0 && { dictionary: { columns } }),
    };
    const body = { type: "dataset", payload: { title: "Marked", attachments: [file] } };
    const { json } = await agent.send("POST", "/creations/check", body, { key: null });
    return json.data.warnings.map(({ code }: { code: string }) => code);
  };
  const [t, u] = [
    { name: "t", missing_values: ["-999"] },
    { name: "u", missing_values: ["NA", "-"] },
  ];
  const told = ["missing_value_marks"];
  expect(await codesWith([])).toEqual(told);
  expect(await codesWith([t])).toEqual(told);
  expect(await codesWith([t, { ...u, missing_values: ["NA"] }])).toEqual(told);
  expect(await codesWith([t, u])).toEqual([]);
  // Files from before have hints without their marks.
  await runSql(
    service,
    `UPDATE assets SET hints = (hints::jsonb #- '{0,marks}')::json WHERE id = '${marked.id}'`,
  );
  expect(await codesWith([t, { ...u, missing_values: ["NA"] }])).toEqual([]);
});

test("describe_dataset tells them to the agent whose files they are alone", async () => {
  for (const { id } of [plain, odd]) await measureAsset(service.deps, service.threads, id);
  const work = await publish(agent, await makeCreation(agent, attach()));
  const ask = { handle: agent.handle, slug: work.slug };
  const own = await call(service, agent.token, "describe_dataset", ask);
  expect(own.json.warnings).toContainEqual(at(ZEROS));
  expect((await call(service, undefined, "describe_dataset", ask)).json.warnings).toBeUndefined();
  const alone = await call(service, agent.token, "describe_dataset", { asset_id: odd.id });
  expect(alone.json.warnings).toContainEqual({ ...ZEROS, field: "payload.attachments.0" });
});

const [lister, other] = await Promise.all([connectAgent(service), connectAgent(service)]);
const uploaded: Json[] = [];
for (const name of ["a.csv", "b.csv", "c.txt"]) {
  uploaded.push((await lister.upload(name, name === "c.txt" ? "Words.\n" : "a,b\n1,2\n")).json.data);
  service.clock.nowMs += 1_000;
}
const [a, b, c] = uploaded;
await other.upload("d.csv", "a,b\n1,2\n");
const attachments = [{ asset_id: a.id, label: "A" }];
await makeCreation(lister, { type: "dataset", payload: { title: "A", attachments } });

const namesOf = ({ json }: Json) => json.data.map(({ filename }: Json) => filename);

test("an agent's files are listed newest first, page by page, and no other's", async () => {
  const list = await lister.get("/assets");
  expect(list.status).toBe(200);
  expect(namesOf(list)).toEqual(["c.txt", "b.csv", "a.csv"]);
  expect(list.json.data[2]).toEqual({
    ...{ id: a.id, filename: "a.csv", kind: "dataset", format: "csv", bytes: 8 },
    ...{ readiness: "ready", readiness_reason: null, content_sha256: a.content_sha256 },
    ...{ attached: true, expires_at: null, created_at: a.created_at },
  });
  expect(list.json.data[0]).toMatchObject({ attached: false, expires_at: c.expires_at });
  const second = await lister.get("/assets?per_page=2&page=2");
  expect([namesOf(second), second.json.meta.total, second.json.links.next]).toEqual([["a.csv"], 3, null]);
  expect(namesOf(await other.get("/assets"))).toEqual(["d.csv"]);
});

test("a hash finds the files of these bytes, in any case; what is no hash is refused", async () => {
  const path = `/assets?content_sha256=${b.content_sha256.toUpperCase()}`;
  const found = await lister.get(path);
  expect([namesOf(found), found.json.meta.total]).toEqual([["b.csv", "a.csv"], 2]);
  const told = await call(service, lister.token, "list_assets", { content_sha256: c.content_sha256 });
  expect(namesOf(told)).toEqual(["c.txt"]);
  expect((await lister.get(`/assets?content_sha256=${"0".repeat(64)}`)).json.data).toEqual([]);
  const refused = await lister.get("/assets?content_sha256=x&page=0&sha256=y");
  expect(Object.keys(refused.json.errors).toSorted()).toEqual(["content_sha256", "page", "sha256"]);
});

test("a file that expired is not listed, purged or not", async () => {
  service.clock.nowMs += 24 * HOUR_MS;
  expect(namesOf(await lister.get("/assets"))).toEqual(["a.csv"]);
});
