import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

const BUCKET = "broadsheet-test";

/** What s3rver, which brings no types, offers of itself here. */
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
  /** Answers the next so many requests with 500 instead of serving them. */
  fail(count: number): void;
  /** Cuts the connection in the middle of the next so many downloads. */
  cut(count: number): void;
  close(): Promise<void>;
}

/** Starts s3rver behind a door that can fail; sets the credentials that the SDK reads from the environment. */
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
  const server: Server = createServer((request, response) => {
    if (failures > 0) {
      failures--;
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
    serve?.(request, response);
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
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}
