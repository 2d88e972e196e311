import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { measureText, truncateText, wrapText } from "../../../../shared/text/drawing/measure-text.ts";
import { element, escapeText, formatNumber, isolate } from "../../../../shared/text/drawing/svg.ts";
import { runs } from "../../../support/depth.ts";
import { GROWTH_BOUND_MS, leastCpuMs } from "../../../support/growth.ts";

const FONT = { sizePx: 13 };

describe("the width of text", () => {
  test.each([
    ["MMM", 3 * 0.92],
    ["iii", 3 * 0.28],
    ["éü", 0.62 + 0.64],
    ["漢字", 2],
    ["👍", 1.28],
    ["Ж", 1.08],
    ["e\u0301\u200b", 0.62],
    ["தி", 1.4 + 0.7],
    ["\u0000", 1.1],
    ["", 0],
  ])("of %j is that of the widest sans serif a reader may have", (text, ems) => {
    expect(measureText(text, 10)).toBeCloseTo(ems * 10, 6);
  });

  test("is larger in bold", () => {
    expect(measureText("iW", 100, { bold: true })).toBeCloseTo(28 + 7.5 + 112, 6);
  });
});

describe("text that must fit", () => {
  test("is never wider than asked, cut or wrapped, beyond a single letter", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 200 }),
        fc.integer({ min: 30, max: 400 }),
        (text, width) => {
          expect(measureText(truncateText(text, width, FONT), 13)).toBeLessThanOrEqual(width + 1e-6);
          const lines = wrapText(text, width, 3, FONT);
          expect(lines.length).toBeLessThanOrEqual(3);
          for (const line of lines)
            expect(measureText(line, 13)).toBeLessThanOrEqual(Math.max(width, 30) + 14);
        },
      ),
      { numRuns: runs(500) },
    );
  });

  test.each([
    ["水先从西边上涨，最后", 7, ["水先从西边上", "涨，最后"]],
    ["水先从西边（北海）", 6, ["水先从西边", "（北海）"]],
    ["水は上がった。データ", 6, ["水は上がっ", "た。データ"]],
    ["。。。。。。。。", 4, ["。。。。", "。。。。"]],
    ["北海", 0.5, ["北", "海"]],
  ])(
    "begins no line of %s with a mark that closes, and ends none with one that opens",
    (text, ems, lines) => {
      expect(wrapText(text, ems * 13 + 1, 9, FONT)).toEqual(lines);
    },
  );

  test.each(["Incidence 50", "Phase 2", "EU limit value", "Top band"])("%s fits into its own width", (text) =>
    expect(wrapText(text, measureText(text, 13), 2, FONT)).toEqual([text]),
  );

  test("is wrapped at spaces and line breaks", () => {
    expect(wrapText("one two three\nfour", 60, 5, FONT)).toEqual(["one two", "three", "four"]);
    expect(wrapText("one two three four", 60, 2, FONT)).toEqual(["one two", "three f…"]);
    expect(wrapText("  ", 60, 2, FONT)).toEqual([]);
  });

  test("of a million characters is cut at once", () => {
    const text = "W".repeat(1_000_000);
    expect(leastCpuMs(() => void truncateText(text, 300, FONT))).toBeLessThan(GROWTH_BOUND_MS);
  });
});

describe("markup", () => {
  test("escapes text and attributes", () => {
    const built = element("text", { class: `"><script>`, x: 1.005 }, ["<b>&'\u0000\ud800"]);
    expect(built.markup).toBe(
      '<text class="&quot;&gt;&lt;script&gt;" x="1">&lt;b&gt;&amp;&#39;\ufffd\ufffd</text>',
    );
    expect(escapeText("plain")).toBe("plain");
  });

  test("writes numbers plainly and refuses those that are not finite", () => {
    expect([1 / 3, -0, 640, -0.001].map(formatNumber)).toEqual(["0.33", "0", "640", "0"]);
    for (const x of [Number.NaN, Number.NEGATIVE_INFINITY]) {
      expect(() => element("rect", { x })).toThrow(RangeError);
    }
  });

  test("closes every direction that a text opens, and lets none reach outside", () => {
    expect(isolate("a\u202eb")).toBe("\u2068a\u202eb\u202c\u2069");
    expect(isolate("a\u2069b\u202c")).toBe("\u2068ab\u2069");
    expect(isolate("\u2067x\u2069")).toBe("\u2068\u2067x\u2069\u2069");
  });
});
