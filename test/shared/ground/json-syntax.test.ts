import { expect, test } from "vitest";
import { findJsonFault } from "../../../shared/ground/json-syntax.ts";

// The parser says where a token begins. Which sentence fits, and where in the token the fault stands, is ours.
test.each<[string, number, string]>([
  [" \n", 0, "the block is empty"],
  [" {", 2, "the block ends before its JSON does"],
  ["[1 2]", 3, "a comma or the end of the list, ], must stand here"],
  ['{"a":1 "b":2}', 7, "a comma or the end of the object, }, must stand here"],
  ['{"a" 1}', 5, "a colon must follow the name"],
  ['{"a":,1}', 5, "a value must stand here"],
  ['{"a":1,}', 7, "a name in double quotes must stand here"],
  ["[1,]", 3, "a value must stand here"],
  ["[,1]", 1, "a value must stand here"],
  ["{} {}", 3, "text follows the JSON object"],
  ["[01]", 2, "a comma or the end of the list, ], must stand here"],
  ["[1.]", 2, "a comma or the end of the list, ], must stand here"],
  ["[1e+]", 2, "a comma or the end of the list, ], must stand here"],
  ["[-]", 1, "a value must stand here"],
  ["[+1]", 1, "a value must stand here"],
  ["[truex]", 5, "a comma or the end of the list, ], must stand here"],
  ['{"a":nul}', 5, "a value must stand here"],
  ['{"a\\q":1}', 4, "the escape is unknown"],
  ['["a\\u12"]', 3, "the escape is unknown"],
  ['["a\nb"]', 3, "a text holds a raw line break or control character"],
  ['["\\u0000"]', 2, "a text holds an escaped NUL character"],
  ['["\\ud83dx"]', 2, "a text holds half of an escaped surrogate pair"],
  ['["\\ude00"]', 2, "a text holds half of an escaped surrogate pair"],
  ['["a" "b\\q"]', 5, "a comma or the end of the list, ], must stand here"],
  ['["a\\', 4, "the block ends before its JSON does"],
  ["{true:1}", 1, "a name in double quotes must stand here"],
  ["[1}", 2, "a comma or the end of the list, ], must stand here"],
  ["[1/2]", 2, "a comma or the end of the list, ], must stand here"],
  ['{"a":“b”}', 5, "a value must stand here"],
])("the first fault of %j stands at %i and is named", (text, at, begins) => {
  const fault = findJsonFault(text);
  expect(fault?.at).toBe(at);
  expect(fault?.reason.startsWith(begins)).toBe(true);
});

test("a text of many megabytes is read in its length, and deep nesting ends at level 64", () => {
  expect(findJsonFault(`["${"ab\\n".repeat(500_000)}"]`)).toBeNull();
  expect(findJsonFault("[".repeat(100_000))).toEqual({ at: 64, reason: expect.stringMatching(/64 levels/) });
});
