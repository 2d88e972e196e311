import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ageFiles } from "./age-files.ts";
import { closeAfterwards } from "./close-afterwards.ts";

const BUCKET = "broadsheet-test";

/** The part of s3rver, which brings no types, that is used here. */
interface S3rver {
  run(): Promise<AddressInfo>;
  close(): Promise<void>;
  getMiddleware(): (context: unknown, next: unknown) => unknown;
  callback(): Parameters<typeof createServer>[1];
  configureBuckets(): Promise<unknown>;
}

/** A bucket on this machine, with a FILES_URL for it. */
export interface TestBucket {
  filesUrl: string;
  /** Answers the next `count` requests with 500 instead of serving them. */
  fail(count: number): void;
  /** Cuts the connection in the middle of the next `count` downloads. */
  cut(count: number): void;
  /** What deletions meet from now on: the store, a 500, or no answer at all. */
  deletions(meet: "the store" | "a failure" | "silence"): void;
  /** Makes every object look older. */
  age(hours: number): Promise<void>;
  /** Ids of uploads in parts that are neither complete nor aborted. */
  begun(): string[];
  /** Changes the start time of an upload. */
  date(uploadId: string, beganMs: number): void;
  close(): Promise<void>;
}

/**
 * Starts s3rver behind a proxy that can fail; sets the credentials that the SDK reads from the environment.
 */
export async function startBucket(): Promise<TestBucket> {
  process.env.AWS_ACCESS_KEY_ID = "S3RVER";
  process.env.AWS_SECRET_ACCESS_KEY = "S3RVER";
  const directory = await mkdtemp(join(tmpdir(), "broadsheet-s3-"));
  const S3rver = createRequire(import.meta.url)("s3rver");
  const store: S3rver = new S3rver({
    directory,
    silent: true,
    vhostBuckets: false,
    configureBuckets: [{ name: BUCKET, configs: [] }],
  });
  await store.configureBuckets();
  const serve = store.callback();
  let failures = 0;
  let cuts = 0;
  let deletions: Parameters<TestBucket["deletions"]>[0] = "the store";
  const uploads = openUploads();
  const server: Server = createServer((request, response) => {
    const met = request.method === "DELETE" ? deletions : "the store";
    if (met === "silence") return;
    if (failures > 0 || met === "a failure") {
      failures = Math.max(0, failures - 1);
      request.resume().on("end", () => response.writeHead(500).end());
      return;
    }
    if (cuts > 0 && request.method === "GET") {
      cuts--;
      const { write } = response;
      response.write = ((chunk: Uint8Array) => {
        write.call(response, chunk.subarray(0, Math.ceil(chunk.length / 2)), "utf8");
        setImmediate(() => response.destroy());
        return true;
      }) as typeof response.write;
    }
    if (!uploads.answer(request, response)) serve?.(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    filesUrl: `s3://${BUCKET}/uploads?endpoint=${encodeURIComponent(`http://127.0.0.1:${port}`)}`,
    fail: (count) => {
      failures = count;
    },
    cut: (count) => {
      cuts = count;
    },
    deletions: (meet) => {
      deletions = meet;
    },
    age: (hours) => ageFiles(directory, hours),
    begun: uploads.begun,
    date: uploads.date,
    close: closeAfterwards(async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    }),
  };
}

/** Adds to s3rver the list of uploads in parts that are under way, and their end without an object. */
function openUploads() {
  const begun = new Map<string, { key: string; beganMs: number }>();
  return {
    begun: () => [...begun.keys()],
    date: (uploadId: string, beganMs: number) => {
      const upload = begun.get(uploadId);
      if (upload) upload.beganMs = beganMs;
    },
    /** Whether the request was one of these. */
    answer(request: IncomingMessage, response: ServerResponse): boolean {
      const { pathname, searchParams } = new URL(request.url ?? "/", "http://bucket");
      const id = searchParams.get("uploadId");
      if (id !== null && request.method === "PUT" && !begun.has(id))
        begun.set(id, { key: pathname.slice(BUCKET.length + 2), beganMs: Date.now() });
      if (id !== null && request.method === "POST") begun.delete(id);
      if (id !== null && request.method === "DELETE") {
        begun.delete(id);
        response.writeHead(204).end();
        return true;
      }
      if (request.method !== "GET" || !searchParams.has("uploads")) return false;
      const each = [...begun].map(([uploadId, { key, beganMs }]) => {
        const initiated = new Date(beganMs).toISOString();
        return `<Upload><Key>${key}</Key><UploadId>${uploadId}</UploadId><Initiated>${initiated}</Initiated></Upload>`;
      });
      const list = `<ListMultipartUploadsResult><Bucket>${BUCKET}</Bucket>${each.join("")}</ListMultipartUploadsResult>`;
      response.writeHead(200, { "content-type": "application/xml" }).end(list);
      return true;
    },
  };
}
