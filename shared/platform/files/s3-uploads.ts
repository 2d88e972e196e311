import { createReadStream } from "node:fs";
import { type Connect, retry, statusOf } from "./s3-calls.ts";
import type { Spooled } from "./spool.ts";

/** The statuses of a bucket that lists no uploads, or not for these credentials. */
const NOT_LISTED: ReadonlySet<number | undefined> = new Set([403, 405, 501]);

interface Target {
  Bucket: string;
  Key: string;
}

/**
 * Stores a source from its parts: a single part in one request, several in one multipart upload.
 *
 * `Upload` of @aws-sdk/lib-storage would do this from memory: eight uploads of 64 MiB at once took 358 MB
 * more there in parts of 16 MiB (134 MB in its smallest, of 5 MiB), and 22 MB here. It sent no part with a
 * checksum, here every part has its MD5. And it fails where the answer to the last request is lost, though
 * the object is there.
 */
export async function putParts(
  connect: Connect,
  target: Target,
  parts: AsyncIterable<Spooled>,
  partBytes: number,
): Promise<void> {
  let upload: Upload | null = null;
  try {
    for await (const part of parts) {
      if (part.number === 1 && part.bytes < partBytes) return await putWhole(connect, target, part);
      upload ??= await beginUpload(connect, target);
      await upload.add(part);
    }
    await upload?.complete();
  } catch (error) {
    await upload?.abort();
    throw error;
  }
}

function bodyOf({ path, bytes, md5 }: Spooled) {
  return { Body: createReadStream(path), ContentLength: bytes, ContentMD5: md5 };
}

async function putWhole(connect: Connect, target: Target, part: Spooled): Promise<void> {
  const { sdk, client } = await connect();
  await retry(() => client.send(new sdk.PutObjectCommand({ ...target, ...bodyOf(part) })));
}

type Upload = Awaited<ReturnType<typeof beginUpload>>;

async function beginUpload(connect: Connect, target: Target) {
  const { sdk, client } = await connect();
  const { UploadId } = await retry(() => client.send(new sdk.CreateMultipartUploadCommand(target)));
  const upload = { ...target, UploadId };
  const added: { PartNumber: number; ETag: string | undefined }[] = [];
  let bytes = 0;
  return {
    async add(part: Spooled) {
      const PartNumber = part.number;
      const request = () => ({ ...upload, PartNumber, ...bodyOf(part) });
      const { ETag } = await retry(() => client.send(new sdk.UploadPartCommand(request())));
      added.push({ PartNumber, ETag });
      bytes += part.bytes;
    },
    async complete() {
      const request = { ...upload, MultipartUpload: { Parts: added } };
      try {
        await retry(() => client.send(new sdk.CompleteMultipartUploadCommand(request)));
      } catch (error) {
        // After a lost response the repeated upload is gone and the object exists.
        if (statusOf(error) !== 404) throw error;
        const head = await retry(() => client.send(new sdk.HeadObjectCommand(target)));
        if (head.ContentLength !== bytes) throw error;
      }
    },
    /** Deletes the parts; where the bucket fails to, `discardUploads` deletes them later. */
    async abort() {
      await client.send(new sdk.AbortMultipartUploadCommand(upload)).catch(() => undefined);
    },
  };
}

/** Ends uploads in parts that were abandoned and began before a time; returns the count. */
export async function discardUploads(
  connect: Connect,
  { bucket, prefix }: { bucket: string; prefix: string },
  beforeMs: number,
): Promise<number> {
  const { sdk, client } = await connect();
  const asked = new sdk.ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix });
  const list = await retry(() => client.send(asked)).catch((error: unknown) => {
    if (NOT_LISTED.has(statusOf(error))) return null;
    throw error;
  });
  let count = 0;
  for (const { Key, UploadId, Initiated } of list?.Uploads ?? []) {
    if (Initiated === undefined || Initiated.getTime() >= beforeMs) continue;
    await retry(() => client.send(new sdk.AbortMultipartUploadCommand({ Bucket: bucket, Key, UploadId })));
    count++;
  }
  return count;
}
