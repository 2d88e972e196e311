import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm, stat, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ulid } from "ulid";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openDiskStore } from "../../../shared/files/disk.ts";
import { openFileStore } from "../../../shared/files/open.ts";
import { openS3Store, readS3Url } from "../../../shared/files/s3.ts";
import { FileMissing, type FileStore, FileStoreUnavailable } from "../../../shared/files/store.ts";
import { startBucket, type TestBucket } from "../../support/s3.ts";

let folder = "";
let bucket: TestBucket;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "broadsheet-stores-"));
  bucket = await startBucket();
});
afterAll(async () => {
  await bucket.close();
  await rm(folder, { recursive: true, force: true });
});

const STORES = [
  {
    name: "a folder",
    open: () => openDiskStore(join(folder, "disk")),
    unfinished: () => join(folder, "disk", "tmp"),
  },
  {
    name: "a bucket",
    open: () => openS3Store(bucket.filesUrl, join(folder, "spool")),
    unfinished: () => join(folder, "spool"),
  },
];

async function* inChunks(bytes: Uint8Array, size = 65_536): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function readAll(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of source) chunks.push(Uint8Array.from(chunk));
  return Buffer.concat(chunks);
}

const hashOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function keysOf(store: FileStore): Promise<string[]> {
  const keys: string[] = [];
  for await (const { key, writtenAtMs } of store.list()) {
    expect(Math.abs(Date.now() - writtenAtMs)).toBeLessThan(120_000);
    keys.push(key);
  }
  return keys;
}

for (const { name, open, unfinished } of STORES) {
  describe(`${name} as file store`, () => {
    test.each([0, 1, 65_536, 262_144, 300_000, 10_485_760])(
      "gives %i bytes back as they came",
      async (size) => {
        const store = open();
        const key = ulid();
        const bytes = randomBytes(size);
        await store.put(key, inChunks(bytes));
        expect(await store.size(key)).toBe(size);
        expect(hashOf(await readAll(store.get(key)))).toBe(hashOf(bytes));
        expect(hashOf(await readAll(store.scan(key)))).toBe(hashOf(bytes));
      },
    );

    test("a scan that is left early leaves nothing open, and the next one begins anew", async () => {
      const store = open();
      const key = ulid();
      const bytes = randomBytes(1_000_000);
      await store.put(key, inChunks(bytes));
      for await (const chunk of store.scan(key)) {
        expect(chunk[0]).toBe(bytes[0]);
        break;
      }
      expect(hashOf(await readAll(store.scan(key)))).toBe(hashOf(bytes));
    });

    test("gives the bytes of a range, both ends included, and none behind the last", async () => {
      const store = open();
      const key = ulid();
      const bytes = randomBytes(1_000);
      await store.put(key, inChunks(bytes));
      for (const read of [store.get, store.scan]) {
        expect(await readAll(read(key, { start: 10, end: 19 }))).toEqual(bytes.subarray(10, 20));
        expect(await readAll(read(key, { start: 0, end: 0 }))).toEqual(bytes.subarray(0, 1));
        expect(await readAll(read(key, { start: 990, end: 5_000 }))).toEqual(bytes.subarray(990));
        expect(await readAll(read(key, { start: 1_000, end: 2_000 }))).toEqual(Buffer.alloc(0));
      }
    });

    test("knows nothing of an object that is not there", async () => {
      const store = open();
      const key = ulid();
      expect(await store.size(key)).toBeNull();
      for (const read of [store.get, store.scan]) {
        await expect(readAll(read(key))).rejects.toThrow(FileMissing);
        await expect(readAll(read(key, { start: 0, end: 5 }))).rejects.toThrow(FileMissing);
      }
      await store.delete(key);
    });

    test("removes an object for good", async () => {
      const store = open();
      const key = ulid();
      await store.put(key, inChunks(Buffer.from("gone")));
      expect(await keysOf(store)).toContain(key);
      await store.delete(key);
      expect(await store.size(key)).toBeNull();
      expect(await keysOf(store)).not.toContain(key);
    });

    test("keeps nothing of a source that breaks off", async () => {
      const store = open();
      const key = ulid();
      const breaks = async function* () {
        yield Buffer.from("half");
        throw new Error("the client left");
      };
      await expect(store.put(key, breaks())).rejects.toThrow("the client left");
      expect(await store.size(key)).toBeNull();
      expect(await readdir(unfinished())).toEqual([]);
    });

    test("discards what a killed process left, once it is old", async () => {
      const store = open();
      await store.put(ulid(), inChunks(Buffer.from("x")));
      const left = join(unfinished(), "broadsheet-spool-left");
      await writeFile(left, "half");
      const now = Date.now();
      await utimes(left, (now - 100_000) / 1_000, (now - 100_000) / 1_000);
      expect(await store.discardUnfinished(now - 200_000)).toBe(0);
      expect(await store.discardUnfinished(now - 50_000)).toBe(1);
      expect(await readdir(unfinished())).toEqual([]);
    });

    test("takes no key that could be a path", async () => {
      const store = open();
      await expect(async () => store.put("../../etc/passwd", inChunks(Buffer.from("x")))).rejects.toThrow(
        "ULID",
      );
      expect(() => store.get("../x")).toThrow("ULID");
    });
  });
}

test("the folder of a store, and those in it, let no other user of the machine look in", async () => {
  const own = join(folder, "closed");
  const key = ulid();
  await openDiskStore(own).put(key, inChunks(Buffer.from("x")));
  const modes = ["", "tmp", key.slice(-2), join(key.slice(-2), key)].map(async (name) =>
    ((await stat(join(own, name))).mode & 0o777).toString(8),
  );
  expect(await Promise.all(modes)).toEqual(["750", "750", "750", "600"]);
});

describe("a bucket that has trouble", () => {
  const open = () => openS3Store(bucket.filesUrl, join(folder, "spool"));

  test("is asked again after failures of the server, and the bytes are whole", async () => {
    const store = open();
    const key = ulid();
    const bytes = randomBytes(300_000);
    bucket.fail(2);
    await store.put(key, inChunks(bytes));
    bucket.fail(2);
    expect(hashOf(await readAll(store.get(key)))).toBe(hashOf(bytes));
  });

  test("goes on where a download was cut", async () => {
    const store = open();
    const key = ulid();
    const bytes = randomBytes(2_000_000);
    await store.put(key, inChunks(bytes));
    bucket.cut(2);
    expect(hashOf(await readAll(store.get(key)))).toBe(hashOf(bytes));
    bucket.cut(1);
    const part = await readAll(store.get(key, { start: 1_000, end: 1_500_000 }));
    expect(hashOf(part)).toBe(hashOf(bytes.subarray(1_000, 1_500_001)));
  });

  test("that only fails is called unavailable, which a caller may try again", async () => {
    const store = open();
    bucket.fail(100);
    try {
      await expect(store.put(ulid(), inChunks(Buffer.from("x")))).rejects.toThrow(FileStoreUnavailable);
      await expect(store.size(ulid())).rejects.toThrow(FileStoreUnavailable);
    } finally {
      bucket.fail(0);
    }
    expect(await readdir(join(folder, "spool"))).toEqual([]);
  });
});

describe("a bucket takes what is larger than a part in parts", () => {
  const PART = 1024 * 1024;
  const spool = () => join(folder, "spool");
  const open = () => openS3Store(bucket.filesUrl, spool(), PART);

  test.each([PART - 1, PART, PART + 1, 3 * PART, 3 * PART + 7])(
    "%i bytes come back as they came",
    async (size) => {
      const store = open();
      const key = ulid();
      const bytes = randomBytes(size);
      bucket.fail(1);
      await store.put(key, inChunks(bytes, 300_000));
      expect(await store.size(key)).toBe(size);
      expect(hashOf(await readAll(store.get(key)))).toBe(hashOf(bytes));
      expect([bucket.begun(), await readdir(spool())]).toEqual([[], []]);
    },
  );

  test("the spool holds one part at a time", async () => {
    const sizes: number[] = [];
    async function* watched() {
      for await (const chunk of inChunks(randomBytes(4 * PART), 100_000)) {
        const [own = ""] = await readdir(spool());
        const parts = own === "" ? [] : await readdir(join(spool(), own));
        sizes.push(parts.length);
        yield chunk;
      }
    }
    await open().put(ulid(), watched());
    expect(Math.max(...sizes)).toBe(1);
  });

  test("a source that breaks off after some parts leaves no object, no upload and no file", async () => {
    const store = open();
    const key = ulid();
    const breaks = async function* () {
      yield randomBytes(2 * PART + 5);
      throw new Error("the worker left");
    };
    await expect(store.put(key, breaks())).rejects.toThrow("the worker left");
    expect([await store.size(key), bucket.begun(), await readdir(spool())]).toEqual([null, [], []]);
  });

  test("an upload whose process was killed is ended once it is old", async () => {
    const store = open();
    const killed = Promise.withResolvers<void>();
    const hangs = async function* () {
      yield randomBytes(PART);
      await killed.promise;
    };
    const hanging = store.put(ulid(), hangs());
    await expect.poll(() => bucket.begun().length).toBe(1);
    const [id = ""] = bucket.begun();
    const nowMs = Date.now();
    bucket.date(id, nowMs - 100_000);
    expect(await store.discardUnfinished(nowMs - 200_000)).toBe(0);
    expect(await store.discardUnfinished(nowMs - 50_000)).toBe(1);
    expect(bucket.begun()).toEqual([]);
    killed.resolve();
    await hanging.catch(() => undefined);
  });
});

test("the address of a bucket names bucket, prefix, endpoint and region", () => {
  expect(readS3Url("s3://works/a/b/?endpoint=https%3A%2F%2Fs3.example.org&region=eu-1")).toEqual({
    bucket: "works",
    prefix: "a/b/",
    endpoint: "https://s3.example.org",
    region: "eu-1",
  });
  expect(readS3Url("s3://works")).toEqual({
    bucket: "works",
    prefix: "",
    endpoint: undefined,
    region: "us-east-1",
  });
  expect(() => openFileStore("ftp://works")).toThrow("FILES_URL");
});
