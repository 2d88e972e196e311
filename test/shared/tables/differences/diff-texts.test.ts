import { applyPatch } from "diff";
import { describe, expect, test } from "vitest";
import {
  diffTexts,
  diffWholeLines,
  type TextDiff,
} from "../../../../shared/tables/differences/diff-texts.ts";
import { runs } from "../../../support/depth.ts";
import { changeText, randomText } from "../../../support/random-texts.ts";
import { createRandom } from "../inspection/generated.ts";

const HEAD = "--- revision-1\n+++ revision-2\n";
/** What a page shows, with the marks of changes in letters. */
const show = ({ shown }: TextDiff) =>
  shown.map(({ pieces }) =>
    pieces
      .map(({ kind, text }) => (kind === "same" ? text : `${kind === "added" ? "{+" : "{-"}${text}}`))
      .join(""),
  );

describe.each([
  ["by words", diffTexts],
  ["by whole lines", diffWholeLines],
])("a diff %s", (_, diff) => {
  test("leads from one text to the other, there and back, as npm diff applies it", () => {
    for (let seed = 1; seed <= runs(2_000); seed += 1) {
      const random = createRandom(seed);
      const from = randomText(random);
      const to = random() < 0.7 ? changeText(from, random) : randomText(random);
      for (const [before, after] of [
        [from, to],
        [to, from],
      ] as const) {
        const { hunks, linesAdded, linesRemoved, shown } = diff(before, after);
        expect([seed, hunks === "", shown.length === 0]).toEqual([seed, before === after, before === after]);
        if (before === after) continue;
        const options = { autoConvertLineEndings: false };
        expect([seed, applyPatch(before, HEAD + hunks, options)]).toEqual([seed, after]);
        expect(linesAdded + linesRemoved).toBeGreaterThan(0);
      }
    }
  });

  test("mirrors itself backwards", () => {
    for (let seed = 1; seed <= runs(400); seed += 1) {
      const random = createRandom(seed);
      const from = randomText(random);
      const to = changeText(from, random);
      const [there, back] = [diff(from, to), diff(to, from)];
      expect([there.linesAdded - there.linesRemoved]).toEqual([back.linesRemoved - back.linesAdded]);
    }
  });
});

test("what a page shows is both texts: without what came in the first, without what was taken out the second", () => {
  for (let seed = 1; seed <= runs(400); seed += 1) {
    const random = createRandom(seed);
    const from = randomText(random);
    const to = changeText(from, random);
    const { hunks, shown } = diffTexts(from, to);
    const side = (sign: string) =>
      hunks
        .split("\n")
        .filter((line) => line.startsWith(" ") || line.startsWith(sign))
        .map((line) => `${line.slice(1)}\n`)
        .join("");
    const pieces = shown.flatMap((hunk) => hunk.pieces);
    const without = (kind: string) =>
      pieces.flatMap((piece) => (piece.kind === kind ? [] : [piece.text])).join("");
    expect([seed, without("added"), without("removed")]).toEqual([seed, side("-"), side("+")]);
  }
});

test("words that changed inside a changed line stand between those that stayed", () => {
  expect(show(diffTexts("The gauge rose 12 m.\n", "The gauge fell 12 m today.\n"))).toEqual([
    "The gauge {-rose}{+fell} 12 m{+ today}.\n",
  ]);
});

test("a phrase that was replaced word by word is one removal and one addition", () => {
  expect(show(diffTexts("At Husum the old gauge fell low.\n", "At Husum the new meter fell low.\n"))).toEqual(
    ["At Husum the {-old gauge}{+new meter} fell low.\n"],
  );
});

test("a line that has little in common with the other is shown whole", () => {
  expect(show(diffTexts("The gauge rose in a night.\n", "Nobody in Bremen saw water.\n"))).toEqual([
    "{-The gauge rose in a night.\n}{+Nobody in Bremen saw water.\n}",
  ]);
});

test("past its bounds a changed region is of whole lines, and the same every time", () => {
  const lines = (word: string) => Array.from({ length: 3_000 }, (_, at) => `${word} ${at}\n`).join("");
  const [from, to] = [`first\n${lines("a")}last\n`, `first\n${lines("b")}last\n`];
  const found = diffTexts(from, to);
  expect(found).toEqual(diffWholeLines(from, to));
  expect(found.shown.flatMap(({ pieces }) => pieces.map(({ kind }) => kind))).toEqual([
    ...["same", "removed", "added", "same"],
  ]);
  const long = `${"word ".repeat(20_001)}\n`;
  expect(show(diffTexts(`${long}old end\n`, `${long}new end\n`))[0]).toContain("{-old end\n}{+new end\n}");
});
