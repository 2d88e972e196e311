import { randomBytes } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { ulid } from "ulid";
import { describe, expect, test } from "vitest";
import { openS3Store } from "../../../../shared/platform/files/s3.ts";
import { FileStoreUnavailable } from "../../../../shared/platform/files/store.ts";
import { hashOf, inChunks, openStoreSite, readAll } from "./store-site.ts";

const { folder, bucket } = await openStoreSite();

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
