import { expect, test } from "vitest";
import { decodeIndex } from "../../../../shared/tables/inspection/reading-index.ts";
import { findReadingIndex } from "../../../../sql/datasets/assets.ts";
import { connectAgent } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";

const service = await openService({ workers: false });
const agent = await connectAgent(service);

test("inspection keeps where the rows of a table stand", async () => {
  const asset = await uploadReady(service, agent, "long.csv", `a,b\n${"1,two\n".repeat(3_000)}`);
  const kept = await findReadingIndex(service.deps.pool, asset.id);
  const table = decodeIndex(kept ?? new Uint8Array(0))?.tables[0];
  expect(table).toMatchObject({ position: null, rowCount: 3_000, end: 4 + 6 * 3_000 - 1 });
  expect(table?.offsets.slice(0, 2)).toEqual([4, 4 + 6 * (table?.rows[1] ?? 0)]);
});

test("a text has no rows to index", async () => {
  const asset = await uploadReady(service, agent, "note.txt", "text\n");
  expect(await findReadingIndex(service.deps.pool, asset.id)).toBe(null);
});
