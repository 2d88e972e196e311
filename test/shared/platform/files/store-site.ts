import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBucket, type TestBucket } from "../../../support/s3.ts";

/** A folder and a bucket for stores, both gone in the end. */
export interface StoreSite {
  folder: string;
  bucket: TestBucket;
  close(): Promise<void>;
}

export async function openStoreSite(): Promise<StoreSite> {
  const folder = await mkdtemp(join(tmpdir(), "broadsheet-stores-"));
  const bucket = await startBucket();
  return {
    folder,
    bucket,
    async close() {
      await bucket.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** The bytes in pieces, as an upload brings them. */
export async function* inChunks(bytes: Uint8Array, size = 65_536): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(Uint8Array.from(chunk));
  return Buffer.concat(chunks);
}

export const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
