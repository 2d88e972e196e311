import { tmpdir } from "node:os";
import { Readable } from "node:stream";
import { ATTEMPTS, type Connect, isMissing, nullWhenMissing, openOnce, retry, statusOf } from "./s3-calls.ts";
import { discardUploads, putParts } from "./s3-uploads.ts";
import { discardSpooled, spoolInParts } from "./spool.ts";
import { FileMissing, type FileStore, FileStoreUnavailable } from "./store.ts";

const KEY = /^[0-9A-Z]{26}$/;
/** A bucket takes at most 10,000 parts of an object: 160 GiB. */
const PART_BYTES = 16 * 1024 * 1024;

/** A bucket and the prefix of this service's objects in it. */
interface Place {
  bucket: string;
  prefix: string;
  endpoint: string | undefined;
  region: string;
}

/**
 * Reads s3://bucket/prefix?endpoint=…&region=…; credentials come from the environment, as the SDK reads them.
 */
export function readS3Url(url: string): Place {
  const { hostname, pathname, searchParams } = new URL(url);
  const prefix = decodeURIComponent(pathname).replace(/^\/+|\/+$/g, "");
  return {
    bucket: hostname,
    prefix: prefix === "" ? "" : `${prefix}/`,
    endpoint: searchParams.get("endpoint") ?? undefined,
    region: searchParams.get("region") ?? "us-east-1",
  };
}

/**
 * Opens a bucket as file store. It spools a source to a temporary file first, because S3 needs length and MD5
 * before the bytes, and because a request that fails on the server is repeated. A source larger than a part
 * goes part by part, so that the temporary folder holds one part of it at a time.
 */
export function openS3Store(url: string, spool = tmpdir(), partBytes = PART_BYTES): FileStore {
  const place = readS3Url(url);
  const connect = openOnce(place);
  const nameOf = (key: string): string => {
    if (!KEY.test(key)) throw new Error("a file key is a ULID");
    return `${place.prefix}${key}`;
  };
  const at = (key: string) => ({ Bucket: place.bucket, Key: nameOf(key) });
  return {
    put: (key, source) => putParts(connect, at(key), spoolInParts(spool, source, partBytes), partBytes),
    get: (key, range) => readObject(connect, at(key), range),
    scan: (key, range) => readObject(connect, at(key), range),
    async size(key) {
      const { sdk, client } = await connect();
      const target = at(key);
      const head = await nullWhenMissing(retry(() => client.send(new sdk.HeadObjectCommand(target))));
      return head?.ContentLength ?? null;
    },
    async delete(key) {
      const { sdk, client } = await connect();
      const target = at(key);
      await nullWhenMissing(retry(() => client.send(new sdk.DeleteObjectCommand(target))));
    },
    list: () => listObjects(connect, place),
    discardUnfinished: async (beforeMs) =>
      (await discardSpooled(spool, beforeMs)) + (await discardUploads(connect, place, beforeMs)),
  };
}

/** Streams an object and resumes where the stream broke off. */
async function* readObject(
  connect: Connect,
  target: { Bucket: string; Key: string },
  range: { start: number; end: number } | undefined,
): AsyncIterable<Uint8Array> {
  let start = range?.start ?? 0;
  const last = range?.end ?? Number.POSITIVE_INFINITY;
  for (let attempt = 1; start <= last; attempt++) {
    const asked = range === undefined && start === 0 ? undefined : `bytes=${start}-${range?.end ?? ""}`;
    const body = await openObject(connect, target, asked);
    try {
      for await (const chunk of body) {
        // Some stores read a range that ends at 0 as no range.
        const wanted = chunk.subarray(0, Math.max(0, last - start + 1));
        start += wanted.length;
        if (wanted.length > 0) yield wanted;
      }
      return;
    } catch (error) {
      if (attempt >= ATTEMPTS) throw new FileStoreUnavailable("the file store broke off", { cause: error });
    }
  }
}

async function openObject(
  connect: Connect,
  target: { Bucket: string; Key: string },
  range: string | undefined,
): Promise<AsyncIterable<Uint8Array>> {
  const { sdk, client } = await connect();
  try {
    const answer = await retry(() => client.send(new sdk.GetObjectCommand({ ...target, Range: range })));
    return answer.Body as AsyncIterable<Uint8Array>;
  } catch (error) {
    if (isMissing(error)) throw new FileMissing("stored file is missing");
    // A range that begins after the last byte is empty.
    if (statusOf(error) === 416) return Readable.from([]);
    throw error;
  }
}

async function* listObjects(
  connect: Connect,
  { bucket, prefix }: Place,
): AsyncIterable<{ key: string; writtenAtMs: number }> {
  const { sdk, client } = await connect();
  let token: string | undefined;
  do {
    const request = { Bucket: bucket, Prefix: prefix, ...(token ? { ContinuationToken: token } : {}) };
    const page = await retry(() => client.send(new sdk.ListObjectsV2Command(request)));
    for (const { Key, LastModified } of page.Contents ?? []) {
      const key = Key?.slice(prefix.length) ?? "";
      if (KEY.test(key) && LastModified !== undefined) yield { key, writtenAtMs: LastModified.getTime() };
    }
    token = page.NextContinuationToken;
  } while (token !== undefined);
}
