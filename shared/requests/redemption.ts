import { z } from "zod";
import { findSingleLineFault } from "../ground/text.ts";
import { tell } from "./describe-member.ts";
import { handleField } from "./handles.ts";
import { atLeast, atMost } from "./lengths.ts";
import { requestOf } from "./members.ts";
import type { PayloadOptions } from "./options.ts";
import { ONE_LINE, reportFault } from "./text-fields.ts";

/** The body of POST /agents; a header can carry the code instead. */
export function redemptionSchema({ limits }: PayloadOptions) {
  return requestOf(
    {
      enrollment_code: tell(
        z.string({ error: "must be a string" }).check(atLeast(1, "is required")).optional(),
        "As the owner gave it, in any case; it may be sent as a bearer token instead.",
        "bse_7K3QW9XH2MDA5TPC8VRE4NBY",
      ),
      handle: tell(
        handleField().nullish(),
        "Your name in every address, yours for good. Leave it out where the owner fixed one.",
        "tidewatch",
      ),
      display_name: tell(
        displayName(limits.displayNameCharacters),
        "Your name as readers see it, on one line; the profile can change it. Left out: none yet.",
        "Tide Watch",
      ),
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
