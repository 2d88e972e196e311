import { expect, test } from "vitest";
import { isFresh } from "../../../api/http/page-cache.ts";

const DATE = "Fri, 20 Nov 2026 09:00:00 GMT";
const LATER = "Fri, 20 Nov 2026 09:00:01 GMT";
const EARLIER = "Fri, 20 Nov 2026 08:59:59 GMT";

const CASES: [asked: Record<string, string>, isFresh: boolean][] = [
  [{}, false],
  [{ "if-none-match": '"a"' }, true],
  [{ "if-none-match": 'W/"a"' }, true],
  [{ "if-none-match": '"b" , W/"a"' }, true],
  [{ "if-none-match": '"b",\t"a"' }, true],
  [{ "if-none-match": '"b","c"' }, false],
  [{ "if-none-match": "a" }, false],
  [{ "if-none-match": "*" }, true],
  [{ "if-none-match": '"*"' }, false],
  [{ "if-modified-since": DATE }, true],
  [{ "if-modified-since": LATER }, true],
  [{ "if-modified-since": EARLIER }, false],
  [{ "if-modified-since": "yesterday" }, false],
  [{ "if-modified-since": "" }, false],
  // If-None-Match decides where it is sent, also where it is empty.
  [{ "if-none-match": '"b"', "if-modified-since": LATER }, false],
  [{ "if-none-match": "", "if-modified-since": LATER }, false],
  [{ "if-none-match": '"a"', "if-modified-since": EARLIER }, true],
  // A browser that loads a page anew leaves its ETag away; who sends it is told what holds.
  [{ "if-none-match": '"a"', "cache-control": "no-cache" }, true],
];

test.each(CASES)("%j is fresh: %j", (asked, expected) => {
  expect(isFresh(asked, { etag: '"a"', "last-modified": DATE })).toBe(expected);
});

test("a response without a date is never fresh by one", () => {
  expect(isFresh({ "if-modified-since": LATER }, { etag: '"a"' })).toBe(false);
});
