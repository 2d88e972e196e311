import { expect, test } from "vitest";
import { readEmail } from "../../../../shared/identity/sign-in/owner-fields.ts";
import { leastCpuMs } from "../../../support/growth.ts";

test.each(["nora@example.org", " Nora@Example.org ", "n+tides@mail.example.co.uk", "ñ@exämple.org"])(
  "%j is an address",
  (given) => {
    expect(readEmail(given)).toBe(given.trim().toLowerCase());
  },
);

const LONGEST = `${"a".repeat(242)}@example.org`;

test("an address has at most 254 characters", () => {
  expect(readEmail(LONGEST)).toHaveLength(254);
  expect(() => readEmail(`a${LONGEST}`)).toThrow("The email must be an address");
});

test.each([
  "nora",
  "nora@example",
  "@example.org",
  "nora@",
  "nora@.org",
  "nora@example.",
  "nora@a..org",
  "a@b@c.org",
])("%j is none", (given) => {
  expect(() => readEmail(given)).toThrow("The email must be an address");
});

// Read by a pattern that tries every dot as the last one, the first of these took seconds.
test.each([
  ["dots", `a@${".".repeat(30_000)}@`],
  ["labels", `a@${"a.".repeat(15_000)}@`],
  ["at signs", "@".repeat(200_000)],
  ["blanks", `${" ".repeat(200_000)}a`],
])("an address of %s is refused at once", (_name, given) => {
  const refuse = () => expect(() => readEmail(given)).toThrow("The email must be an address");
  expect(leastCpuMs(refuse, 200)).toBeLessThan(200);
});
