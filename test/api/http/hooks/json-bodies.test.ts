import { describe, expect, test } from "vitest";
import { readJson } from "../../../../api/http/hooks/json-bodies.ts";
import { groupAddress } from "../../../../api/http/hooks/rate-limits.ts";
import { Refusal } from "../../../../shared/ground/errors.ts";

const read = (text: string) => readJson(Buffer.from(text));

describe("a JSON body", () => {
  test("is read with all its values", () => {
    expect(read('{"a":[1,null,true,"é\\n{[","\\\\"]}')).toEqual({ a: [1, null, true, "é\n{[", "\\"] });
    expect(read("")).toBeUndefined();
  });

  test("may be nested 64 levels deep and no deeper; brackets in texts are none", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`;
    expect(read(nested(64))).toBeInstanceOf(Array);
    expect(() => read(nested(65))).toThrow("64 levels");
    expect(() => read(`${"[".repeat(1_000_000)}`)).toThrow("64 levels");
    expect(read(`["${"[{".repeat(100)}\\"${"[".repeat(100)}"]`)).toHaveLength(1);
  });

  test("may hold 10,000 values and no more; commas in texts are none", () => {
    const list = (count: number) => `[${Array.from({ length: count }, () => "1").join()}]`;
    expect(read(list(10_000))).toHaveLength(10_000);
    expect(() => read(list(10_001))).toThrow("10000 values");
    expect(read(JSON.stringify([",".repeat(20_000)]))).toHaveLength(1);
  });

  test.each([
    '{"__proto__":1}',
    '[{"a":{"__proto__":{}}}]',
    '{"\\u005f_proto__":1}',
    '{"__proto\\u005F_":1}',
  ])("%s is refused: it could change what another object is", (text) => {
    expect(() => read(text)).toThrow("__proto__");
  });

  test.each(['{"a":"__proto__"}', '{"\\u005fx":1}', '{"proto":"__proto__ in a text"}'])(
    "%s is fine",
    (text) => {
      expect(read(text)).toEqual(JSON.parse(text));
    },
  );
});

test.each([
  ["{", "at line 1, column 2: the body ends before its JSON does; close what is still open."],
  [" \n", "at line 1, column 1: the body holds blanks alone; put one JSON object into it."],
  [
    '{"secret":"é",\n "b":1,}',
    "at line 2, column 8: a name in double quotes must stand here; remove a comma before the end of an object.",
  ],
  [
    "{'secret':1}",
    "at line 1, column 2: a name in double quotes must stand here; remove a comma before the end of an object (JSON texts stand in double quotes).",
  ],
  [
    '{"secret":1} x',
    "at line 1, column 14: text follows the JSON; a body holds one object and nothing else.",
  ],
  [
    '{"secret":nope}',
    "at line 1, column 11: a value must stand here: an object, a list, a number, true, false, null or a text in double quotes.",
  ],
  [
    '{"a":"secret\n"}',
    "at line 1, column 13: a text holds a raw line break or control character; write it as an escape, such as \\n.",
  ],
])("%j is refused with the place of the fault, and nothing of it is repeated", (text, reason) => {
  const refusal = refusalOf(Buffer.from(text));
  expect(refusal).toMatchObject({
    status: 400,
    code: "http_error",
    hint: expect.stringContaining("JSON library"),
  });
  expect(refusal.message).toBe(`The body is not valid JSON ${reason}`);
  expect(refusal.message).not.toContain("secret");
});

test("a body that is not UTF-8 is refused as such", () => {
  const refusal = refusalOf(Buffer.from([0x22, 0xff, 0x22]));
  expect(refusal).toMatchObject({
    status: 400,
    message: "The body is not UTF-8.",
    hint: expect.stringContaining("UTF-8"),
  });
});

/** What `readJson` throws. */
function refusalOf(body: Buffer): Refusal {
  try {
    readJson(body);
  } catch (error) {
    if (error instanceof Refusal) return error;
  }
  throw new Error("it was read, or broke");
}

test.each([
  ["203.0.113.9", "203.0.113.9"],
  ["::ffff:203.0.113.9", "203.0.113.9"],
  ["2001:db8:1:2::1", "2001:db8:1:2"],
  ["2001:0db8:0001:0002:ffff:1:2:3", "2001:db8:1:2"],
  ["2001:db8::1", "2001:db8:0:0"],
  ["::1", "0:0:0:0"],
  ["fe80::1%eth0", "fe80:0:0:0"],
])("the address %s counts as %s", (address, group) => {
  expect(groupAddress(address)).toBe(group);
});
