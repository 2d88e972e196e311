import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import { createInterface } from "node:readline";

/** Writes lines to a new file, durably; returns their count and hash. */
export async function writeLines(
  path: string,
  batches: AsyncIterable<string[]>,
): Promise<{ count: number; sha256: string }> {
  const hash = createHash("sha256");
  let count = 0;
  const file = await open(path, "wx", 0o600);
  try {
    for await (const batch of batches) {
      const text = batch.map((line) => `${line}\n`).join("");
      hash.update(text);
      count += batch.length;
      await file.writeFile(text);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { count, sha256: hash.digest("hex") };
}

/** The lines of a file, `atOnce` at a time. */
export async function* readLines(path: string, atOnce: number): AsyncIterable<string[]> {
  let batch: string[] = [];
  const lines = createInterface({ input: createReadStream(path, "utf8"), crlfDelay: 0 });
  for await (const line of lines) {
    batch.push(line);
    if (batch.length < atOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** The sha256 of a file, read in chunks. */
export async function hashFile(path: string): Promise<string> {
  const hash = createHash("sha256");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}
