import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openSentRows } from "../../../../shared/datasets/uploads/sent-part.ts";
import { authenticate } from "../../../../shared/identity/writes/authenticate.ts";
import { appendRows } from "../../../../shared/works/creations/append-rows.ts";
import { connectAuthor } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { BASE, PART } from "./append.ts";
import { openRowAppends, type Part } from "./append-rows.ts";

const service = await openService({ limits: { processingUploads: 100 } });
const agent = await connectAuthor(service);
const { makeDataset, append, appendForm, readState } = openRowAppends(service, agent);

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
