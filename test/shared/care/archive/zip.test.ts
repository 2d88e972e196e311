import { createHash, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { openZip } from "../../../../shared/care/archive/zip.ts";
import { readZip } from "../../../support/zip.ts";

const TIME = new Date("2026-11-20T09:00:00Z");

async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test("entries come back as they were added, measured on their way", async () => {
  const zip = openZip(TIME);
  const reading = readAll(zip.output);
  const given = new Map([
    ["empty", Buffer.alloc(0)],
    ["words/Größe 水位.txt", Buffer.from("Größe, 水位, 🌊\n")],
    ["noise", randomBytes(300_000)],
  ]);
  for (const [path, bytes] of given) {
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    const chunks = [bytes.subarray(0, 100_000), bytes.subarray(100_000)];
    expect(await zip.add(path, chunks)).toEqual({ path, bytes: bytes.length, sha256 });
  }
  zip.end();
  expect(await readZip(await reading)).toEqual(given);
});

test("a source that breaks off breaks the output off, and does not hang", async () => {
  const zip = openZip(TIME);
  const reading = readAll(zip.output);
  async function* breaks() {
    yield Buffer.from("half");
    throw new Error("the file store is away");
  }
  const error = await zip.add("one", breaks()).catch((reason: unknown) => reason);
  expect(String(error)).toContain("the file store is away");
  zip.fail(error);
  await expect(reading).rejects.toThrow("the file store is away");
});

test("a reader that goes ends what is being added, and lets its source go", async () => {
  const zip = openZip(TIME);
  let isClosed = false;
  async function* endless() {
    try {
      for (;;) yield randomBytes(65_536);
    } finally {
      isClosed = true;
    }
  }
  const adding = zip.add("endless", endless());
  for await (const _ of zip.output) break;
  await expect(adding).rejects.toThrow("nobody reads the archive any more");
  await expect.poll(() => isClosed).toBe(true);
});
