import { describe, expect, it } from "vitest";
import { inspectFile } from "../../../../shared/tables/inspection/inspect.ts";
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

describe("what has to be in memory whole is bounded", () => {
  const reasonOf = async (content: string) => {
    const verdict = await inspect(Buffer.from(content), "csv");
    return verdict.ok ? "accepted" : verdict.reason;
  };
  const LONG = expect.stringContaining("Row 3 has a value over 1,048,576 bytes. Row 1 is the header.");

  it("by a MiB of a value", async () => {
    const value = "x".repeat(MIB);
    expect(await reasonOf(`a,b\n1,2\n${value},"${value}"\n`)).toBe("accepted");
    expect(await reasonOf(`a,b\n1,2\n1,x${value}\n`)).toEqual(LONG);
    expect(await reasonOf(`a,b\n1,2\n"x${value}",2\n`)).toEqual(LONG);
  });

  it("by 16 MiB of a row, of which no more is read", async () => {
    const cells = Array.from({ length: 17 }, () => "y".repeat(MIB - 1));
    const wide = `${cells.map((_, at) => `c${at}`).join(",")}\n${cells.join(",")}\n`;
    expect(await reasonOf(wide)).toContain("Row 2 is over 16,777,216 bytes long.");
    let read = 0;
    async function* endless() {
      yield Buffer.from('a\n"');
      for (; read < 100; read++) yield Buffer.from("x,\n".repeat(MIB / 3));
    }
    const verdict = await inspectFile(endless(), "csv");
    expect(verdict).toMatchObject({ ok: false, reason: expect.stringContaining("Row 2 is over 16,777,216") });
    expect(read).toBeLessThan(40);
  });
});
