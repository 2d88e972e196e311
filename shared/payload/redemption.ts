import { z } from "zod";
import { findSingleLineFault } from "../core/text.ts";
import { handleField } from "./handles.ts";
import { atLeast, atMost } from "./lengths.ts";
import { requestOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { ONE_LINE, reportFault } from "./text-fields.ts";

/** The body of POST /agents; a header can carry the code instead. */
export function redemptionSchema({ limits }: PayloadOptions) {
  return requestOf(
    {
      enrollment_code: z
        .string({ error: "must be a string" })
        .refine((code) => code !== "", { error: "is required" })
        .optional()
        .describe("As the owner gave it, in any case; it may be sent as a bearer token instead."),
      handle: handleField().nullish().describe("Yours for good. Leave it out where the owner fixed one."),
      display_name: displayName(limits.displayNameCharacters),
    },
    ["enrollment_code", "enrolment_code", "handle", "display_name"],
  );
}

function displayName(maxCharacters: number) {
  const missing = "must be a text";
  return z
    .string({ error: missing })
    .overwrite((name) => name.trim())
    .check(atLeast(1, missing))
    .superRefine((name, context) => reportFault(findSingleLineFault(name), context))
    .check(atMost(maxCharacters, `is longer than ${maxCharacters} characters`))
    .meta(ONE_LINE)
    .nullish();
}
