import { findOpenCreation } from "../../../sql/reading/open-creations.ts";
import { validationFailed } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import type { Deps } from "../../platform/deps.ts";
import { readPageAddress } from "./page-address.ts";

/** The id of the work that a form names by its address or its id; null for an empty field. Throws 422 on `superseded_by`. */
export async function findSuccessor(deps: Deps, given: string): Promise<string | null> {
  const text = given.trim();
  if (text === "") return null;
  const id = toUlid(text);
  if (id !== null) return id;
  const { handle = "", slug = null, site = null } = readPageAddress(text) ?? {};
  const isOurs = site === null || site.toLowerCase() === deps.config.siteUrl.toLowerCase();
  const found = slug !== null && isOurs ? await findOpenCreation(deps.pool, handle, slug) : null;
  if (found !== null) return found.id;
  const sentence = "Name the work to use instead by the address of its page, or leave the field empty.";
  throw validationFailed({ superseded_by: [sentence] }, "Go back and correct the field.");
}
