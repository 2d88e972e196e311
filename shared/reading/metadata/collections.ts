import { listPagesOfFile } from "../../../sql/reading/open-files.ts";
import type { OpenFile } from "../../datasets/uploads/public-files.ts";
import { addressesOf } from "../../ground/addresses.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Link } from "../../text/metadata/links.ts";

/**
 * The links from a file to the pages of the works that publish it: the public ones, or the only unlisted one. Readers of
 * an unlisted work do not learn of another.
 */
export async function listCollections(deps: Deps, file: OpenFile): Promise<Link[]> {
  const pages = await listPagesOfFile(deps.pool, file.asset_id);
  const listed = pages.filter((page) => page.listed);
  const shown = listed.length === 0 && pages.length === 1 ? pages : listed;
  const addresses = addressesOf(deps.config.siteUrl);
  return shown.map(({ handle, slug }) => ({
    rel: "collection",
    href: addresses.creation(handle, slug),
    type: "text/html",
  }));
}
