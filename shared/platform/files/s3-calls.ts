import { setTimeout as delay } from "node:timers/promises";
import type { S3Client } from "@aws-sdk/client-s3";
import { FileStoreUnavailable } from "./store.ts";

type Sdk = typeof import("@aws-sdk/client-s3");

/** How often a call is tried before the store counts as unavailable. */
export const ATTEMPTS = 4;
const FIRST_PAUSE_MS = 100;
const CONNECT_MS = 3_000;
const ANSWER_MS = 15_000;
const NOT_IMPLEMENTED = 501;

/** Gives the SDK and its client, which the first call opens. */
export type Connect = () => Promise<{ sdk: Sdk; client: S3Client }>;

/** Loads the SDK with the first call: it takes 65 ms of a start, and few services have a bucket. A failure is forgotten. */
export function openOnce({ endpoint, region }: { endpoint: string | undefined; region: string }): Connect {
  let opened: ReturnType<Connect> | null = null;
  const open = async () => {
    const sdk = await import("@aws-sdk/client-s3");
    const client = new sdk.S3Client({
      region,
      ...(endpoint === undefined ? {} : { endpoint, forcePathStyle: true }),
      // Retries are ours, because a stream can be sent only once.
      maxAttempts: 1,
      requestHandler: { connectionTimeout: CONNECT_MS, requestTimeout: ANSWER_MS },
      // The SDK's own checksums go into the body as trailers, which stores other than Amazon's keep as
      // content.
      requestChecksumCalculation: "WHEN_REQUIRED",
      responseChecksumValidation: "WHEN_REQUIRED",
    });
    return { sdk, client };
  };
  return () => {
    opened ??= open().catch((error) => {
      opened = null;
      throw error;
    });
    return opened;
  };
}

/**
 * Repeats a call that failed on the server or on the way, with growing pauses; throws when the last attempt
 * fails.
 */
export async function retry<Result>(send: () => Promise<Result>): Promise<Result> {
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
  if (status === NOT_IMPLEMENTED) return false;
  return status === undefined || status >= 500 || status === 429;
}

/** The result of a call, or null where the object does not exist. */
export async function nullWhenMissing<Result>(answer: Promise<Result>): Promise<Result | null> {
  try {
    return await answer;
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/** Whether a call failed because the object does not exist. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && (error.name === "NoSuchKey" || error.name === "NotFound");
}

/** The HTTP status of a failed call, where the server answered. */
export function statusOf(error: unknown): number | undefined {
  if (!(error instanceof Error) || !("$metadata" in error)) return undefined;
  const { httpStatusCode } = error.$metadata as { httpStatusCode?: number };
  return httpStatusCode;
}
