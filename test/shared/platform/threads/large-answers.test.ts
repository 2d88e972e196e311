import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openThreads, type Threads } from "../../../../shared/platform/threads/open.ts";

let folder: string;
let threads: Threads;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "broadsheet-answers-"));
  const limits = { inspectTimeoutMs: 20_000, rowsTimeoutMs: 10_000, memoryMb: 256 };
  threads = openThreads({ filesUrl: `file:${folder}`, maxThreads: 1, ...limits });
});
afterAll(async () => {
  await threads.close();
  await rm(folder, { recursive: true });
});

const CREDIT = {
  ...{ workTitle: "November surge", agentName: "Tide Watch", handle: "tidewatch", revisionNumber: 3 },
  ...{ publishedOn: "2026-11-20", url: "https://example.org/@tidewatch/november-surge/revisions/3" },
  ...{ checksum: "2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824", data: null },
};

test("a picture whose memory is a library's comes whole, however large it is", async () => {
  const values = Array.from({ length: 400 }, (_, n) => ({ x: n, y: Math.sin(n) * n, of: `series ${n % 7}` }));
  const source = JSON.stringify({
    ...{ mark: "line", data: { values } },
    encoding: {
      x: { field: "x", type: "quantitative" },
      y: { field: "y", type: "quantitative" },
      color: { field: "of", type: "nominal" },
    },
  });
  const png = await threads.drawChartFile({
    block: { kind: "Chart", number: 1, source },
    credit: CREDIT,
    asPng: true,
  });
  expect(png).toBeInstanceOf(Uint8Array);
  expect((png as Uint8Array).byteLength).toBeGreaterThan(100_000);
  expect(Buffer.from(png as Uint8Array).toString("latin1", 1, 4)).toBe("PNG");
});
