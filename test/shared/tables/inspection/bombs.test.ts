import { describe, expect, it } from "vitest";
import { leastCpuMsOf } from "../../../support/growth.ts";
import { inspect } from "./sources.ts";

const MIB = 1_048_576;
const MOST_MS = 2_000;

const bombs: [what: string, make: () => string, format: "csv" | "json"][] = [
  ["five million nested lists", () => "[".repeat(10 * MIB), "json"],
  ["half a million nested objects", () => '{"a":'.repeat(2 * MIB), "json"],
  [
    "700,000 keys in one object",
    () => `{${Array.from({ length: 700_000 }, (_, i) => `"k${i}":1`).join(",")}}`,
    "json",
  ],
  [
    "600,000 different columns",
    () => `[${Array.from({ length: 600_000 }, (_, i) => `{"k${i}":1}`).join(",")}]`,
    "json",
  ],
  ["one text of 10 MiB", () => `["${"x".repeat(10 * MIB)}"]`, "json"],
  ["one key of 10 MiB", () => `{"${"x".repeat(10 * MIB)}":1}`, "json"],
  ["one number of 10 MiB", () => "1".repeat(10 * MIB), "json"],
  ["a text of escapes", () => `["${"\\u0041".repeat(1.6 * MIB)}"]`, "json"],
  ["a header of ten million commas", () => ",".repeat(10 * MIB), "csv"],
  ["a row of ten million commas", () => `a\n${",".repeat(10 * MIB)}`, "csv"],
  ["a quote that ten million characters follow", () => `a\n"${"x,\n".repeat(3 * MIB)}`, "csv"],
  ["ten million blank lines before a second value", () => `a,b\n${"\n".repeat(10 * MIB)}1,2`, "csv"],
  ["one name of 10 MiB", () => "x".repeat(10 * MIB), "csv"],
];

describe("within two seconds, a refusal for", () => {
  it.each(bombs)("%s", async (_what, make, format) => {
    const content = Buffer.from(make());
    const { result, ms } = await leastCpuMsOf(() => inspect(content, format), MOST_MS);
    expect(result).toMatchObject({ ok: false });
    expect(ms).toBeLessThan(MOST_MS);
  });
});
