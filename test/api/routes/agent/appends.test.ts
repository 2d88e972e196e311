import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { connectAuthor, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { call } from "../../mcp/rpc.ts";
import { BASE, PART } from "./append.ts";
import { openRowAppends } from "./append-rows.ts";

const service = await openService({ limits: { processingUploads: 100 } });
const agent = await connectAuthor(service);
const { makeDataset, append, appendText, appendForm, contentOf } = openRowAppends(service, agent);

test("a form appends, saves and publishes in one call, and keeps all else of the attachment", async () => {
  const creation = await makeDataset([["Readings", "readings.csv", BASE]], { notes: "UTC" });
  const reply = await appendForm(creation, [
    ["publish", "{}"],
    ["file", PART, "today.csv"],
  ]);
  expect(reply.status).toBe(200);
  const { data, appended, warnings } = reply.json;
  const [attachment] = data.latest_revision.payload.attachments;
  expect(appended).toEqual({
    label: "Readings",
    asset_id: attachment.asset_id,
    rows: 2,
    row_count: 3,
  });
  expect(attachment).toMatchObject({ label: "Readings", notes: "UTC" });
  expect(warnings).toEqual([]);
  expect(data.published_revision).toMatchObject({ revision_number: 2 });
  expect(data.latest_revision.change_summary).toBe("2 rows added to Readings.");
  expect(reply.headers.etag).toBe(`"${creation.lock_version + 2}"`);
  expect(await contentOf(appended.asset_id)).toBe(`${BASE}Husum,4.40\nCuxhaven,3.90\n`);
  const asset = (await agent.get(`/assets/${appended.asset_id}`)).json.data;
  const [before] = creation.latest_revision.payload.attachments;
  expect(asset).toMatchObject({
    filename: "readings.csv",
    readiness: "ready",
    attached: true,
    appended_to: { asset_id: before.asset_id, rows_added: 2 },
  });
});

test("the summary counts the rows of drafts that go live with it", async () => {
  const { id } = await makeDataset([["Readings", "readings.csv", BASE]]);
  const appendOne = async (publish?: object) => {
    const { lock_version: ifMatch } = (await agent.get(`/creations/${id}`)).json.data;
    const rows = [{ station: "Husum", height_m: 4.1 }];
    return (await agent.send("POST", `/creations/${id}/append`, { label, rows, publish }, { ifMatch })).json;
  };
  let label: string | undefined;
  await appendOne();
  const saved = await appendOne();
  expect(saved.data.latest_revision.change_summary).toBe("2 rows added to Readings.");
  expect(saved.appended.rows).toBe(1);
  const { lock_version: ifMatch } = (await agent.get(`/creations/${id}`)).json.data;
  const [{ asset_id }] = saved.data.latest_revision.payload.attachments;
  const changes = { set: { attachments: [{ label: "Gauges", asset_id }] } };
  await agent.send("PATCH", `/creations/${id}`, { changes }, { ifMatch });
  const published = await appendOne({});
  expect(published.data.latest_revision.change_summary).toBe("3 rows added to Gauges.");
  const next = await appendOne({});
  expect(next.data.latest_revision.change_summary).toBe("1 row added to Gauges.");
  const [grown] = next.data.latest_revision.payload.attachments;
  const attachments = [{ label: "Before", asset_id }, grown];
  const both = { changes: { set: { attachments } }, change_summary: "Both.", publish: {} };
  await agent.send("PATCH", `/creations/${id}`, both, { ifMatch: next.data.lock_version });
  label = "Gauges";
  await appendOne();
  expect((await appendOne()).data.latest_revision.change_summary).toBe("2 rows added to Gauges.");
});

test("rows in JSON become rows of the CSV as they were sent, and those of a list stay as they are", async () => {
  const wide = await makeDataset([["Cells", "cells.csv", 'name,"a, ""b""",n\r\nx,1,2\r\n']]);
  const rows = `[{"n":1.10,"name":"a, \\"b\\"\\nc","a, \\"b\\"":true},{"a, \\"b\\"":"","name":null,"n":12345678901234567890}]`;
  const text = `{"rows": ${rows}, "label": "Cells"}`;
  const reordered = `{"label":"Cells","rows":[{"a, \\"b\\"":true,"name":"a, \\"b\\"\\nc", "n": 1.10},{"n":12345678901234567890,"a, \\"b\\"":"","name":null}]}`;
  const key = randomUUID();
  const first = await appendText(wide, text, { key });
  expect(first.json.appended).toMatchObject({ label: "Cells", rows: 2, row_count: 3 });
  expect(first.json.data.published_revision.revision_number).toBe(1);
  expect(await contentOf(first.json.appended.asset_id)).toBe(
    'name,"a, ""b""",n\r\nx,1,2\r\n"a, ""b""\nc",true,1.10\r\n,,12345678901234567890\r\n',
  );
  // The same rows in other words are the same request, other digits are another one.
  const again = await appendText(wide, reordered, { key });
  expect([again.status, again.headers["idempotent-replayed"], again.text]).toEqual([200, "true", first.text]);
  expect((await appendText(wide, text.replace("1.10", "1.1"), { key })).json.code).toBe(
    "idempotency_mismatch",
  );

  const list = await makeDataset([["List", "list.json", '[{"a":1}]']]);
  const kept = '[{"2020": 1.50, "1": [1e400]}]';
  const joined = await appendText(list, `{"rows":${kept},"minor":true}`);
  expect(await contentOf(joined.json.appended.asset_id)).toBe('[{"a":1},{"2020": 1.50, "1": [1e400]}]');
  const one = await makeDataset([["One", "one.csv", "a\n1"]]);
  const blank = await append(one, { rows: [{ a: null }, { a: "2" }] });
  expect(blank.json.appended).toMatchObject({ rows: 2, row_count: 3 });
  expect(await contentOf(blank.json.appended.asset_id)).toBe('a\n1\n""\n2\n');
});

test("a call takes ten thousand rows, and no more", async () => {
  const creation = await makeDataset([["Readings", "readings.csv", BASE]]);
  const rows = Array.from({ length: 10_000 }, (_, at) => ({ station: `s${at}`, height_m: at }));
  const many = await append(creation, { rows: [...rows, ...rows.slice(0, 1)] });
  expect([many.status, many.json.errors]).toEqual([
    422,
    { rows: ["The rows list has 10001 items; at most 10000 are allowed."] },
  ]);
  const { status, json } = await append(creation, { rows, change_summary: "Many." });
  expect([status, json.appended.rows, json.appended.row_count]).toEqual([200, 10_000, 10_001]);
  expect(json.data.latest_revision.change_summary).toBe("Many.");
});

test("the tool appends what its rows say, digit by digit, and tells what was appended", async () => {
  const creation = await makeDataset([["Readings", "readings.csv", BASE]]);
  const args = {
    creation_id: creation.id,
    lock_version: creation.lock_version,
    idempotency_key: randomUUID(),
  };
  const rows = '[{"station":"Wismar","height_m":4.40}]';
  for (const [given, idempotency_key] of [
    [rows, args.idempotency_key],
    [JSON.stringify(rows), args.idempotency_key],
  ]) {
    const params = { name: "append_rows", arguments: { ...args, idempotency_key, rows: "ROWS" } };
    const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
    const reply = await request(service, {
      method: "POST",
      url: "/mcp",
      headers: {
        authorization: `Bearer ${agent.token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "mcp-protocol-version": "2025-11-25",
      },
      payload: message.replace('"ROWS"', () => given ?? ""),
    });
    const told = JSON.parse(reply.json.result.content[0].text);
    expect(told.appended).toMatchObject({ label: "Readings", rows: 1, row_count: 2 });
    expect(told.data).not.toHaveProperty("latest_revision.payload");
    expect(await contentOf(told.appended.asset_id)).toBe(`${BASE}Wismar,4.40\n`);
  }
  const refused = await call(service, agent.token, "append_rows", {
    ...args,
    idempotency_key: randomUUID(),
    rows: [],
  });
  expect(refused.json).toMatchObject({ status: 412 });
});
