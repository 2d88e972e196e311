import { randomBytes } from "node:crypto";
import { readdir, rename, stat, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ulid } from "ulid";
import { describe, expect, test } from "vitest";
import { openDiskStore } from "../../../../shared/platform/files/disk.ts";
import { openFileStore } from "../../../../shared/platform/files/open.ts";
import { openS3Store, readS3Url } from "../../../../shared/platform/files/s3.ts";
import { FileMissing, type FileStore } from "../../../../shared/platform/files/store.ts";
import { collectBytes } from "../../../../shared/tables/rows/windows.ts";
import { hashOf, inChunks, openStoreSite, readAll } from "./store-site.ts";

const { folder, bucket } = await openStoreSite();

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
        const into = Buffer.alloc(size + 1);
        const collected = await collectBytes(store.scan(key, undefined, { into }), into);
        expect(hashOf(collected.subarray(0, size))).toBe(hashOf(bytes));
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
      const small = Buffer.alloc(bytes.length);
      await expect(collectBytes(store.scan(key, undefined, { into: small }), small)).rejects.toThrow(
        "longer",
      );
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

test("a file in another folder than its own is none of a store", async () => {
  const store = openDiskStore(join(folder, "moved"));
  const key = ulid();
  await store.put(key, inChunks(randomBytes(10)));
  await rename(join(folder, "moved", key.slice(-2)), join(folder, "moved", "elsewhere"));
  expect(await keysOf(store)).toEqual([]);
});

test("the folder of a store, and those in it, let no other user of the machine look in", async () => {
  const own = join(folder, "closed");
  const key = ulid();
  await openDiskStore(own).put(key, inChunks(Buffer.from("x")));
  const modes = ["", "tmp", key.slice(-2), join(key.slice(-2), key)].map(async (name) =>
    ((await stat(join(own, name))).mode & 0o777).toString(8),
  );
  expect(await Promise.all(modes)).toEqual(["750", "750", "750", "600"]);
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
