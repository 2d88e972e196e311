import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { writeParquet } from "../../../../shared/tables/parquet/write-parquet.ts";
import { SOURCE } from "./reading.ts";

const ROWS = 65_536;
const BATCHES = 40;

/** Writes a table of random texts, whose reading `watch` may fail before each batch; `onEnd` is told of its end. */
function write(watch: (batch: number) => void, onEnd = () => {}) {
  const read = async function* () {
    try {
      for (let batch = 0; batch < BATCHES; batch++) {
        watch(batch);
        const lines = randomBytes(8 * ROWS)
          .toString("hex")
          .replaceAll(/.{16}/g, "$&\n");
        yield { bytes: Buffer.from(lines), at: 0, rowCount: ROWS };
      }
    } finally {
      onEnd();
    }
  };
  const columns = [{ name: "a", type: "text" as const, blanks: 0 }];
  return writeParquet({ format: "csv", columns, rowCount: BATCHES * ROWS, read }, SOURCE);
}

test.each([0, 1, 5])("where the reading fails at batch %i, the writing fails with its error", async (at) => {
  const written = write((batch) => {
    if (batch === at) throw new Error("the store is gone");
  });
  await expect(Array.fromAsync(written)).rejects.toThrow("the store is gone");
});

test("pieces come while rows are read, and where nobody takes more of them, no more rows are read", async () => {
  let last = 0;
  const ended = Promise.withResolvers<void>();
  const watch = (batch: number) => {
    last = batch;
  };
  const written = write(watch, ended.resolve);
  for (let piece = 0; piece < 3; piece++) await written.next();
  expect(last).toBeLessThan(10);
  await written.return(undefined);
  const then = last;
  await ended.promise;
  expect(last).toBeLessThanOrEqual(then + 1);
});
