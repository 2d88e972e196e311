import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findSingleLineFault } from "../../../shared/ground/text.ts";
import { SLUG } from "../../../shared/requests/slugs.ts";
import { briefSlugFrom, numberSlug, slugFrom, titleOf } from "../../../shared/requests/titles.ts";
import { ID } from "./samples.ts";

describe("slugs", () => {
  test.each([
    ["November surge", "november-surge"],
    ["Über Straße: l'été — 3 Ångström!", "uber-strasse-lete-3-angstrom"],
    ["ﬁle №5", "file-no5"],
    ["潮位", "untitled"],
    ["--", "untitled"],
    ["", "untitled"],
    ["word ".repeat(30), "word-".repeat(16).slice(0, -1)],
    ["a".repeat(100), "a".repeat(80)],
  ])("%j gives %s", (title, slug) => {
    expect(slugFrom(title)).toBe(slug);
  });

  test("get a number within the longest length", () => {
    expect(numberSlug("a", 2)).toBe("a-2");
    expect(numberSlug("a".repeat(80), 12)).toBe(`${"a".repeat(77)}-12`);
    expect(numberSlug(`${"a".repeat(77)}-bb`, 2)).toBe(`${"a".repeat(77)}-2`);
  });

  test("of briefs end in six characters of their ID", () => {
    expect(briefSlugFrom("The gauge rose", ID)).toBe("the-gauge-rose-atat9n");
    expect(briefSlugFrom("潮位", ID)).toBe("brief-atat9n");
  });

  test("of any text have the form of a slug", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.integer({ min: 2, max: 9999 }),
        (text, number) => {
          for (const slug of [slugFrom(text), briefSlugFrom(text, ID), numberSlug(slugFrom(text), number)]) {
            expect(slug).toMatch(SLUG);
            expect(slug.length).toBeLessThanOrEqual(80);
          }
        },
      ),
    );
  });
});

describe("titles", () => {
  const brief = (body_markdown: string) =>
    titleOf("brief", { body_markdown, sources: [], references: undefined });

  test("are the payload's own, but for briefs", () => {
    const shared = { summary: null, sources: [], references: [], design: null };
    expect(titleOf("story", { title: "A", body_markdown: "b", ...shared })).toBe("A");
  });

  test("of briefs are the start of their plain text", () => {
    expect(brief("# The *gauge*\n\nrose [1.2 m](https://example.org)")).toBe("The gauge rose 1.2 m");
    expect(brief(`${"word ".repeat(16)}end`)).toBe(`${"word ".repeat(16).trim()}…`);
    expect(brief("w".repeat(80))).toBe("w".repeat(80));
    expect(brief("\u2600\ufe0f Tide\u3164 e\u0301 👩\u200d🚀")).toBe("\u2600\ufe0f Tide e\u0301 👩🚀");
    expect(brief("\u2800\u3164")).toBe("Brief");
    expect(brief("😀".repeat(81))).toBe(`${"😀".repeat(80)}…`);
    expect(brief(`${"w".repeat(79)} ${"v".repeat(9)}`)).toBe(`${"w".repeat(79)}…`);
    expect(brief("---")).toBe("Brief");
  });

  test("of any brief are one clean line of at most 81 characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 500 }), (text) => {
        const title = brief(text);
        expect([...title].length).toBeLessThanOrEqual(81);
        expect(findSingleLineFault(title)).toBeNull();
        expect(title).not.toBe("");
      }),
    );
  });
});
