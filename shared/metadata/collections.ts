import { listPagesOfFile } from "../../sql/readers/open-files.ts";
import { addressesOf } from "../addresses.ts";
import type { OpenFile } from "../assets/public-files.ts";
import type { Link } from "../core/metadata/links.ts";
import type { Deps } from "../deps.ts";

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
