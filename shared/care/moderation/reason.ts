import { validationFailed } from "../../ground/errors.ts";
import { readName } from "../../identity/sign-in/owner-fields.ts";

const REASON_CHARACTERS = 500;

/** The reason for an act of a moderator or an operator, as one line; throws 422 on `reason`. */
export function readReason(given: string | undefined): string {
  const lines = (given ?? "").split(/[\r\n]/).map((line) => line.trim());
  const reason = lines.filter((line) => line !== "").join(" ");
  if (reason === "") throw validationFailed({ reason: ["Say why: the owner reads it, and it is kept."] });
  return readName("reason", reason, REASON_CHARACTERS);
}
