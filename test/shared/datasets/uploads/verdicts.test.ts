import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { settleAbandonedUpload } from "../../../../shared/datasets/uploads/verdicts.ts";
import { connectAgent, type Reply } from "../../../support/agent.ts";
import { inspectNow } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const service = await openService({ workers: false, config: { uploadWaitMs: 10_000 } });
const agent = await connectAgent(service);

async function findUpload(filename: string): Promise<string> {
  let id = "";
  await expect
    .poll(
      async () => {
        const rows = await runSql(service, "SELECT id FROM assets WHERE filename = $1", [filename]);
        id = rows[0]?.id ?? "";
        return id;
      },
      { timeout: 20_000, interval: 10 },
    )
    .not.toBe("");
  return id;
}

test("a waiting upload wakes with the verdict, long before its time is over", async () => {
  const tookMs: number[] = [];
  for (const name of ["one.csv", "two.csv", "three.csv"]) {
    const waiting = agent.upload(name, "a\n1\n");
    const id = await findUpload(name);
    const startedMs = performance.now();
    await inspectNow(service, id);
    expect((await waiting).json.data.readiness).toBe("ready");
    tookMs.push(performance.now() - startedMs);
  }
  expect(Math.min(...tookMs)).toBeLessThan(5_000);
});

const REPLAYED = "idempotent-replayed";

test("of five uploads at once with one key one is inspected, and the others are told to come again in a second", async () => {
  const key = randomUUID();
  const send = (content = "a\n1\n") => agent.upload("once.csv", content, { key });
  const replies: Reply[] = [];
  const five = Promise.all(
    Array.from({ length: 5 }, async () => {
      replies.push(await send());
    }),
  );
  // Nothing inspects the file yet, so the request that took the key waits, and the others must not.
  await expect.poll(() => replies.length, { timeout: 20_000, interval: 10 }).toBe(4);
  for (const { status, json, headers } of replies) {
    expect([status, json.code, headers["retry-after"]]).toEqual([409, "idempotency_in_progress", "1"]);
  }
  expect((await send("a\n2\n")).json.code).toBe("idempotency_mismatch");
  await inspectNow(service, await findUpload("once.csv"));
  await five;
  const first = replies[4];
  expect([first?.status, first?.json.data.readiness, first?.headers[REPLAYED]]).toEqual([
    201,
    "ready",
    undefined,
  ]);
  const later = await send();
  expect([later.status, later.text, later.headers[REPLAYED]]).toEqual([201, first?.text, "true"]);
  expect(later.headers.location).toBe(first?.headers.location);
  expect((await send("a\n2\n")).json.code).toBe("idempotency_mismatch");
  expect(await runSql(service, "SELECT count(*)::int FROM assets WHERE filename = 'once.csv'")).toEqual([
    { count: 1 },
  ]);
});

test("an upload that has not answered when its wait is over is answered by the next try, for both", async () => {
  const key = randomUUID();
  const first = agent.upload("slow.csv", "a\n1\n", { key });
  const id = await findUpload("slow.csv");
  service.clock.nowMs += 9_999;
  const young = await agent.upload("slow.csv", "a\n1\n", { key });
  expect([young.status, young.headers["retry-after"]]).toEqual([409, "1"]);
  service.clock.nowMs += 1;
  const next = await agent.upload("slow.csv", "a\n1\n", { key });
  expect([next.status, next.json.data.id, next.json.data.readiness]).toEqual([201, id, "processing"]);
  expect(next.headers[REPLAYED]).toBe("true");
  await inspectNow(service, id);
  expect([(await first).status, (await first).text]).toEqual([201, next.text]);
});

test("two that answer for one refused upload tell the reason, or to send it again; its key is free", async () => {
  const key = "7d0b6f0e-6d6c-4f0a-9d0e-0c2f8e2f5a11";
  const first = agent.upload("bad.csv", "a,b\n1\n", { key });
  const id = await findUpload("bad.csv");
  await inspectNow(service, id);
  const second = settleAbandonedUpload(service.deps, id, false).catch((error: unknown) => error);
  const codes = [(await first).json.code, ((await second) as { code: string }).code];
  for (const code of codes) expect(["validation_failed", "idempotency_in_progress"]).toContain(code);
  expect(codes).toContain("validation_failed");
  expect(await runSql(service, "SELECT key FROM idempotency_keys WHERE key = $1", [key])).toEqual([]);
});

test("a file that is refused in its canonical form leaves nothing in the store", async () => {
  const refused = agent.upload("unseen.tsv", "a\tb\ufeff\n1\t2\n");
  await inspectNow(service, await findUpload("unseen.tsv"));
  expect((await refused).json.errors.file).toEqual([expect.stringContaining("nobody sees its U+FEFF")]);
  const keys: string[] = [];
  for await (const { key } of service.deps.files.list()) keys.push(key);
  const known = await runSql(service, "SELECT id FROM assets WHERE file_deleted_at IS NULL ORDER BY id");
  expect(keys.toSorted()).toEqual(known.map(({ id }) => id));
});

test("an upload that another request took away answers so that it is sent again", async () => {
  const settled = settleAbandonedUpload(service.deps, "01ARZ3NDEKTSV4RRFFQ69G5FAV", false);
  await expect(settled).rejects.toMatchObject({ code: "idempotency_in_progress", retryAfterSeconds: 1 });
});
