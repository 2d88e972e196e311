import { afterAll, beforeAll, expect, test } from "vitest";
import { settleUpload } from "../../../shared/assets/verdicts.ts";
import { connectAgent, type TestAgent } from "../../support/agent.ts";
import { inspectNow } from "../../support/inspection.ts";
import { openService, type TestService } from "../../support/service.ts";
import { runSql } from "../../support/tables.ts";

let service: TestService;
let agent: TestAgent;

beforeAll(async () => {
  service = await openService({ workers: false, config: { uploadWaitMs: 10_000 } });
  agent = await connectAgent(service);
});
afterAll(async () => {
  await service.close();
});

async function findUpload(filename: string): Promise<string> {
  let id = "";
  await expect
    .poll(
      async () => {
        const rows = await runSql(service, "SELECT id FROM assets WHERE filename = $1", [filename]);
        id = rows[0]?.id ?? "";
        return id;
      },
      { timeout: 5_000, interval: 10 },
    )
    .not.toBe("");
  return id;
}

test("a waiting upload wakes with the verdict, long before its time is over", async () => {
  const waiting = agent.upload("good.csv", "a\n1\n");
  const id = await findUpload("good.csv");
  const startedMs = performance.now();
  await inspectNow(service, id);
  expect((await waiting).json.data.readiness).toBe("ready");
  expect(performance.now() - startedMs).toBeLessThan(5_000);
});

test("two that wait for one refused upload are told the reason, or to send it again; its key is free", async () => {
  const key = "7d0b6f0e-6d6c-4f0a-9d0e-0c2f8e2f5a11";
  const first = agent.upload("bad.csv", "a,b\n1\n", { key });
  const id = await findUpload("bad.csv");
  const watch = await service.deps.settlements.watch(id);
  const third = settleUpload(service.deps, id, watch, false).catch((error: unknown) => error);
  await inspectNow(service, id);
  const codes = [(await first).json.code, ((await third) as { code: string }).code];
  watch.close();
  for (const code of codes) expect(["validation_failed", "idempotency_in_progress"]).toContain(code);
  expect(codes).toContain("validation_failed");
  expect(await runSql(service, "SELECT key FROM idempotency_keys WHERE key = $1", [key])).toEqual([]);
});

test("an upload that another request took away answers so that it is sent again", async () => {
  const watch = await service.deps.settlements.watch("01ARZ3NDEKTSV4RRFFQ69G5FAV");
  const settled = settleUpload(service.deps, "01ARZ3NDEKTSV4RRFFQ69G5FAV", watch, false);
  await expect(settled).rejects.toMatchObject({ code: "idempotency_in_progress", retryAfterSeconds: 1 });
  watch.close();
});
