import { createReadStream } from "node:fs";
import { tmpdir } from "node:os";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import type { S3Client } from "@aws-sdk/client-s3";
import { discardSpooled, withSpooledFile } from "./spool.ts";
import { FileMissing, type FileStore, FileStoreUnavailable } from "./store.ts";

type Sdk = typeof import("@aws-sdk/client-s3");

const KEY = /^[0-9A-Z]{26}$/;
const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 100;
const CONNECT_MS = 3_000;
const ANSWER_MS = 15_000;

/** A bucket, and below which prefix our objects stand in it. */
interface Place {
  bucket: string;
  prefix: string;
  endpoint: string | undefined;
  region: string;
}

/** Reads s3://bucket/prefix?endpoint=…&region=…; credentials come from the environment, as the SDK reads them. */
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
 * A bucket as file store. An upload is spooled to a temporary file first, because S3 wants its length and MD5 before
 * its bytes, and because a request that failed on the server's side is sent again.
 */
export function openS3Store(url: string, spool = tmpdir()): FileStore {
  const place = readS3Url(url);
  const connect = openOnce(place);
  const nameOf = (key: string): string => {
    if (!KEY.test(key)) throw new Error("a file key is a ULID");
    return `${place.prefix}${key}`;
  };
  const at = (key: string) => ({ Bucket: place.bucket, Key: nameOf(key) });
  return {
    async put(key, source) {
      const target = at(key);
      await withSpooledFile(spool, source, async ({ path, bytes, md5 }) => {
        const { sdk, client } = await connect();
        const request = () => ({
          ...target,
          Body: createReadStream(path),
          ContentLength: bytes,
          ContentMD5: md5,
        });
        await retry(() => client.send(new sdk.PutObjectCommand(request())));
      });
    },
    get: (key, range) => readObject(connect, at(key), range),
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
    discardUnfinished: (beforeMs) => discardSpooled(spool, beforeMs),
  };
}

type Connect = () => Promise<{ sdk: Sdk; client: S3Client }>;

/** The SDK takes a moment and some memory: only who has a bucket loads it. */
function openOnce({ endpoint, region }: Place): Connect {
  let opened: ReturnType<Connect> | null = null;
  const open = async () => {
    const sdk = await import("@aws-sdk/client-s3");
    const client = new sdk.S3Client({
      region,
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      // Retries are ours, because a stream can be sent only once.
      maxAttempts: 1,
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS },
      // The SDK's own checksums go into the body as trailers, which stores other than Amazon's keep as content.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
    });
    return { sdk, client };
  };
  return () => {
    opened ??= open();
    return opened;
  };
}

/** Streams an object; one that breaks off is asked for again from where it stopped. */
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
        // Some stores read a range's end of 0 as none.
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
    // A range that begins behind the last byte holds nothing.
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

/** Sends again what failed on the server's side or on the way, with growing pauses; then the store is away. */
async function retry<Result>(send: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (attempt >= ATTEMPTS)
        throw new FileStoreUnavailable("the file store does not answer", { cause: error });
      await delay(FIRST_PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2));
    }
  }
}

function isPassing(error: unknown): boolean {
  const status = statusOf(error);
  return status === undefined || status >= 500 || status === 429;
}

async function nullWhenMissing<Result>(answer: Promise<Result>): Promise<Result | null> {
  try {
    return await answer;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.name === "NoSuchKey" || error.name === "NotFound");
}

function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("$metadata" in error)) return undefined;
  const { httpStatusCode } = error.$metadata as { httpStatusCode?: number };
  return httpStatusCode;
}
