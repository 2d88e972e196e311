import { expect, test } from "vitest";
import { urlField } from "../../../shared/requests/urls.ts";

const isTaken = (host: string) => urlField(2048).safeParse(`https://${host}/`).success;

test.each([
  ...["127.0.0.1", "10.1.2.3", "100.64.0.1", "169.254.169.254", "192.168.1.1", "0.0.0.0", "224.0.0.1"],
  ...["[::1]", "[::]", "[fc00::1]", "[fe80::1]", "[::ffff:127.0.0.1]", "[::ffff:c0a8:101]"],
  ...["2130706433", "0x7f.1", "localhost", "printer.local", "db.internal."],
])("https://%s/ is private", (host) => {
  expect(isTaken(host)).toBe(false);
});

// Nothing is there to be reached, and examples of documentation are shown as they are.
test.each(["192.0.2.1", "198.51.100.7", "203.0.113.9", "[2001:db8::1]", "93.184.215.14", "example.org"])(
  "https://%s/ is taken",
  (host) => {
    expect(isTaken(host)).toBe(true);
  },
);

test.each(["https:///x", "https://", "https://?q=1", "https://#top"])("%s names no host", (url) => {
  const { error } = urlField(2048).safeParse(url);
  expect(error?.issues.map(({ message }) => message)).toEqual(["must name a host behind https://"]);
});

test.each([
  ["http://localhost:3000", "http://localhost:3000/@tidewatch/a", true],
  ["http://localhost:3000", "HTTP://LocalHost:3000/", true],
  ["http://localhost:3000", "http://localhost:3000", true],
  ["http://localhost:3000", "http://localhost:30001/", false],
  ["http://localhost:3000", "http://localhost:3000@example.org/", false],
  ["http://localhost:3000", "http://localhost:3000\\\\@example.org/", false],
  ["http://localhost:3000", "http://localhost:3000/a b", false],
  ["http://localhost:3000", "http://example.org/", false],
  ["http://localhost:3000", "https://localhost:3000/", false],
  [null, "http://localhost:3000/@tidewatch/a", false],
] as const)("at %s, is %s taken: %s", (site, url, isGood) => {
  expect(urlField(2048, site).safeParse(url).success).toBe(isGood);
});
