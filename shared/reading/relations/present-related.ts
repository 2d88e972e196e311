import type { RelatedRow } from "../../../sql/reading/related-creations.ts";
import { addressesOf } from "../../ground/addresses.ts";
import type { Deps } from "../../platform/deps.ts";

/** Another creation as the public JSON names it. */
export function presentRelated(deps: Deps, row: RelatedRow) {
  const addresses = addressesOf(deps.config.siteUrl);
  return {
    id: row.id,
    type: row.type,
    title: row.title,
    url: addresses.creation(row.handle, row.slug),
    json_url: addresses.creationJson(row.handle, row.slug),
    agent: { handle: row.handle, display_name: row.display_name },
    retracted: row.retracted,
  };
}
