import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { connectAuthor, publishNew, request } from "../../../support/agent.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService } from "../../../support/service.ts";

const WIDE = "w".repeat(2_000);

const service = await openService();
const agent = await connectAuthor(service, { handle: "tide" });
const csv = ["day,text", ...Array.from({ length: 450 }, (_, n) => `${n},${WIDE}`)].join("\n");
const { id } = await uploadReady(service, agent, "levels.csv", `${csv}\n`);
const payload = { title: "Levels", attachments: [{ asset_id: id, label: "Levels of the day" }] };
await publishNew(agent, { slug: "levels", type: "dataset", payload });
const rows = `/media/${id}/rows`;

// Small ones are read by the process, large ones and those with conditions by a thread: of the stored file, then of memory.
test.each([
  ["limit=1", 1],
  ["limit=100", 100],
  ["limit=450", 450],
  ["limit=450", 450],
  ["limit=450&from=end", 450],
  ["limit=450&filter[0][column]=day&filter[0][op]=gte&filter[0][value]=0", 450],
  ["limit=2&filter[0][column]=day&filter[0][op]=gte&filter[0][value]=440", 2],
])("the ETag of %s is the hash of its bytes, and 304 answers it", async (query, count) => {
  const { status, text, headers } = await request(service, { method: "GET", url: `${rows}?${query}` });
  expect([status, JSON.parse(text).data.returned]).toEqual([200, count]);
  const hash = createHash("sha256").update(text).digest("hex").slice(0, 32);
  expect(headers.etag).toBe(`"${hash}"`);
  const known = { "if-none-match": String(headers.etag) };
  const again = await request(service, { method: "GET", url: `${rows}?${query}`, headers: known });
  expect([again.status, again.text]).toEqual([304, ""]);
});
