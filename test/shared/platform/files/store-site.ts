import { createHash } from "node:crypto";
import { openFolder } from "../../../support/close-afterwards.ts";
import { startBucket, type TestBucket } from "../../../support/s3.ts";

/** A folder and a bucket for stores, both gone in the end. */
export async function openStoreSite(): Promise<{ folder: string; bucket: TestBucket }> {
  return { folder: await openFolder(), bucket: await startBucket() };
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
