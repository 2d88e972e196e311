import fc from "fast-check";
import { expect, test } from "vitest";
import {
  createSecretSearch,
  findSecretHashes,
} from "../../../../shared/identity/credentials/secret-patterns.ts";
import {
  hashSecret,
  isWellFormedToken,
  makeAccessToken,
  makeEnrollmentCode,
  normalizeEnrollmentCode,
} from "../../../../shared/identity/credentials/tokens.ts";

const token = makeAccessToken();
const code = makeEnrollmentCode();
const stored = hashSecret(code.replaceAll("-", ""));

test.each([
  ["alone", token],
  ["in a sentence", `My token is ${token}.`],
  ["in the middle of a longer word", `x${token}yz`],
  ["with Markdown's backslash", token.replace("_", "\\_")],
  ["behind the beginning of another", `bst_bse_0123456789ABCDEFGHJKM${token}`],
  ["in an address", `https://x.example/?access_token=${token}&a=1`],
])("a token %s is found", (_name, text) => {
  expect(findSecretHashes(text)).toContain(hashSecret(token));
});

test.each([
  ["as it was given", code],
  ["in small letters", code.toLowerCase()],
  ["without hyphens", code.replaceAll("-", "")],
  ["with blanks", code.replaceAll("-", " - ")],
  ["with Markdown's backslashes", code.replace("_", "\\_").replaceAll("-", "\\-")],
  ["with letters that look alike", code.replaceAll("0", "O").replaceAll("1", "l")],
])("a code %s is found", (_name, text) => {
  expect(findSecretHashes(`code: ${text}!`)).toEqual([stored]);
});

test("a token that fails its checksum and a code with a letter that codes do not have cost no look", () => {
  const wrong = `${token.slice(0, -1)}${token.endsWith("a") ? "b" : "a"}`;
  const text = `${wrong} ${"bst_".padEnd(50, "0")} ${code.slice(0, -1)}U bst_ bse_ bst_short`;
  expect(findSecretHashes(text)).toEqual([]);
});

/** What is searched for, written as one pattern: every secret of a text, also those within each other. */
const FORM = /(?=(bs(?:t\\?_[0-9A-Za-z]{46}|e\\?_(?:[\s\\-]{0,3}[0-9A-Za-z]){24})))/gi;

test("what a pattern over the whole text finds is found, in texts of parts of secrets and what stands around them", () => {
  const marks = [
    "b",
    "s",
    "t",
    "e",
    "_",
    "\\",
    "-",
    " ",
    "\u00a0",
    "\n",
    "O",
    "l",
    "u",
    "U",
    "é",
    "\u{1f600}",
    "\0",
  ];
  const parts = fc.constantFrom(
    token,
    code,
    code.slice(0, 30),
    code.slice(20),
    token.slice(9),
    "BST_",
    ...marks,
  );
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 30 }), (texts) => {
      const text = texts.join("");
      const secrets = Array.from(text.matchAll(FORM), ([, form = ""]) => form.replaceAll("\\", ""))
        .map((form) => (isWellFormedToken(form) ? form : normalizeEnrollmentCode(form)))
        .filter((secret) => secret !== null);
      expect(findSecretHashes(text)).toEqual(secrets.map(hashSecret));
    }),
  );
});

test("bytes that come in pieces give what the whole text gives", () => {
  const parts = fc.constantFrom(token, code, code.replaceAll("-", "  -"), "é", "bst_", "bse_", " ", "x");
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 8 }), fc.array(fc.nat(40), { maxLength: 40 }), (texts, cuts) => {
      const bytes = Buffer.from(texts.join(""));
      const search = createSecretSearch();
      const found = new Set<string>();
      let start = 0;
      for (const length of [...cuts, bytes.length]) {
        for (const hash of search(bytes.subarray(start, start + length))) found.add(hash);
        start += length;
      }
      expect([...found].sort()).toEqual([...new Set(findSecretHashes(bytes.toString("latin1")))].sort());
    }),
  );
});
