import { expect, test } from "vitest";
import { CheckResult, SavedCreation, WrittenAsset } from "../../../../api/openapi/schemas.ts";
import { measureAsset } from "../../../../shared/datasets/uploads/statistics.ts";
import { connectAuthor, makeCreation, publish } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { call } from "../../mcp/rpc.ts";

const service = await openService({ workers: false });
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
  expect(WrittenAsset.safeParse(json).error).toBeUndefined();
  const old = await uploadReady(service, agent, "old.csv", "a\n1\n");
  await runSql(service, `UPDATE assets SET hints = '["Look at it."]' WHERE id = '${old.id}'`);
  const before = (await agent.get(`/assets/${old.id}`)).json;
  expect(before.data.hints).toEqual([
    { code: "note", message: "Look at it.", rows: [], columns: [], count: null },
  ]);
  expect(WrittenAsset.safeParse(before).error).toBeUndefined();
});

test("a save and its check tell the hints of files, but for marks that the dictionary names", async () => {
  const saved = await agent.send("POST", "/creations", attach());
  expect(SavedCreation.safeParse(saved.json).error).toBeUndefined();
  expect(saved.json.warnings).toEqual([at(MARKS), at(ZEROS)]);
  const checked = await agent.send("POST", "/creations/check", attach(), { key: null });
  expect(CheckResult.safeParse(checked.json).error).toBeUndefined();
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
