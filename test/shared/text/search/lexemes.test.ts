import { describe, expect, test } from "vitest";
import {
  beginsWordOf,
  foldForSearch,
  listLexemes,
  listWords,
  wordQuery,
} from "../../../../shared/text/search/lexemes.ts";

describe("folding", () => {
  test.each([
    ["Élan ÉLAN élan", "elan elan elan"],
    ["Straße STRASSE", "strasse strasse"],
    ["ΟΔΟΣ οδός", "οδοσ οδοσ"],
    ["İstanbul ISTANBUL ısı", "istanbul istanbul isi"],
    ["Łódź, smørrebrød & œuvre", "lodz smorrebrod oeuvre"],
    ["ﬁne ½ ①", "fine 1 2 1"],
    ["Ёлка ёлка елка", "елка елка елка"],
    ["a\u0000b\u200bc-d_e", "a b c d e"],
    ["🎉 !&|()'\\", ""],
  ])("%s", (text, folded) => expect(foldForSearch(text)).toBe(folded));

  test("scripts without blanks are cut into their words", () => {
    expect(listWords("今天水位很高")).toContain("水位");
    expect(listWords("東京都の気象庁")).toContain("気象");
  });
});

test("a word is kept once a field, with its first three starts", () => {
  const lexemes = listLexemes({
    title: "Gauge gauge",
    summary: "",
    others: "to",
    topicIds: ["01M7WVW4TGEAWPJQD4Y5KJHYXJ"],
  });
  expect(lexemes.sort()).toEqual(
    [
      "#01m7wvw4tgeawpjqd4y5kjhyxj",
      "ag",
      "aga",
      "agau",
      "agauge",
      "at",
      "ato",
      "tg",
      "tga",
      "tgau",
      "tgauge",
    ].sort(),
  );
});

test("a table of a hundred thousand columns stays below what an index takes", () => {
  const others = Array.from({ length: 100_000 }, (_, n) => `column${n}`).join(" ");
  expect(Buffer.byteLength(listLexemes({ title: "", summary: "", others }).join(""))).toBeLessThan(1_000_000);
});

test("a word of any length becomes a query that finds it again", () => {
  const [long = ""] = listWords("x".repeat(5000));
  expect(long).toHaveLength(60);
  expect([wordQuery("any", long), wordQuery("title", "to")]).toEqual([`'a${long}':*`, "'tto'"]);
});

test("a topic is found by the start of a word of its label", () => {
  expect(beginsWordOf("clim", "Public climate")).toBe(true);
  expect(beginsWordOf("limate", "Public climate")).toBe(false);
});
