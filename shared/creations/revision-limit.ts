import { refuse } from "../errors.ts";

/** 409: no further revision of this creation may be saved. */
export function revisionLimit() {
  return refuse(
    "revision_limit",
    "This creation has as many revisions as may be kept.",
    "Make a new creation.",
  );
}
