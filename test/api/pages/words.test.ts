import { expect, test } from "vitest";
import { formatBytes } from "../../../api/pages/parts/words.ts";

const MIB = 1024 * 1024;

test.each([
  [0, "0 bytes"],
  [1, "1 byte"],
  [1023, "1,023 bytes"],
  [1024, "1 KiB"],
  [18_200, "17.8 KiB"],
  [MIB - 1, "1 MiB"],
  [10 * MIB, "10 MiB"],
  [100 * MIB, "100 MiB"],
  [2048 * MIB + MIB / 2, "2,048.5 MiB"],
])("%i bytes are written in the documentation's units: %s", (bytes, written) => {
  expect(formatBytes(bytes)).toBe(written);
});
