import { expect, test } from "vitest";
import { readClientName } from "../../../../shared/identity/oauth/client-document.ts";
import {
  answerAt,
  describeRedirect,
  matchesRedirect,
  readRedirect,
} from "../../../../shared/identity/oauth/redirects.ts";

test.each([
  ["https://app.example.org/callback", "https://app.example.org/callback", true],
  ["https://app.example.org/callback", "https://app.example.org:443/callback", false],
  ["https://app.example.org/callback", "https://app.example.org/Callback", false],
  ["https://app.example.org/callback", "https://app.example.org/callback/", false],
  ["https://app.example.org/callback", "http://app.example.org/callback", false],
  ["http://127.0.0.1/callback", "http://127.0.0.1:54321/callback", true],
  ["http://127.0.0.1:1/callback", "http://127.0.0.1:2/callback", true],
  ["http://[::1]/callback", "http://[::1]:8080/callback", true],
  ["http://localhost:3000/callback", "http://localhost/callback", true],
  ["http://localhost/callback", "http://127.0.0.1/callback", false],
  ["http://localhost/callback", "http://localhost:1/callback?x=1", false],
  ["https://localhost/callback", "http://localhost/callback", false],
  ["cursor://anysphere/callback", "cursor://anysphere/callback", true],
  ["cursor://anysphere/callback", "cursor://anysphere:1/callback", false],
  ["com.example.app:/callback", "com.example.app:/callback", true],
  ["vscode-insiders://x/y", "vscode-insiders://x/y", true],
  ["javascript:alert(1)", "javascript:alert(1)", false],
])("a client that named %s gets its answer at %s: %s", (registered, asked, expected) => {
  expect(matchesRedirect(registered, asked)).toBe(expected);
});

test.each([
  ...["JavaScript:alert(1)", "ms-msdt:/id", "search-ms:query=x", "shell:startup", "x:", "about:blank"],
  ...["https:a.example", "https:/a.example/", "https:///a.example/", "http:127.0.0.1/callback"],
  "data:text/html,x",
  "file:///x",
  "vbscript:x",
  "blob:https://app.example.org/x",
  ...["http://app.example.org/", "http://127.0.0.1.evil.example/callback", "http://localhost@evil.example/"],
  ...["https://app.example.org\\@evil.example/", "https://app.example.org/a b", "//app.example.org"],
  ...["https://user:pass@app.example.org/", `https://app.example.org/${"a".repeat(2048)}`],
  "https://app.example.org/#x",
  "https://a@app.example.org/",
  "https://app.example.org/\u202e",
  "https://app.example.org/\n",
  "/callback",
  "",
])("%j is no redirect address", (uri) => {
  expect(readRedirect(uri)).toBeNull();
});

test.each([
  ["https://ünicode.example/callback".normalize(), null],
  ["https://xn--nicode-2ya.example/callback", { host: "xn--nicode-2ya.example", isLocal: false }],
  ["http://127.0.0.1:5/callback", { host: "127.0.0.1", isLocal: true }],
  ["vscode://vscode.github-authentication/did", { host: "vscode:", isLocal: true }],
])("an owner is told where %s leads", (uri, told) => {
  expect(readRedirect(uri) && describeRedirect(uri)).toEqual(told);
});

test("an answer stands behind the address's own query, which stays as it is", () => {
  expect(answerAt("https://app.example.org/callback?a=b%20c", { code: "x", state: null })).toBe(
    "https://app.example.org/callback?a=b%20c&code=x",
  );
  expect(answerAt("cursor://anysphere/callback", { state: "a b&c" })).toBe(
    "cursor://anysphere/callback?state=a+b%26c",
  );
});

test.each([
  ["  Tide\tBot ", "Tide Bot"],
  ["\u202eevil\u200b", "evil"],
  ["\u2800\u3164", null],
  ["\ud800", null],
  ["", null],
  [7, null],
  ["x".repeat(100), `${"x".repeat(59)}…`],
])("the name %j is shown as %j", (given, shown) => {
  expect(readClientName(given)).toBe(shown);
});
