import type { FileRow } from "../../../sql/datasets/revision-files.ts";
import type { OpenCreationRow } from "../../../sql/reading/open-creations.ts";
import { listPagesOfFile } from "../../../sql/reading/open-files.ts";
import type { OpenFile } from "../../datasets/uploads/public-files.ts";
import { addressesOf } from "../../ground/addresses.ts";
import type { Deps } from "../../platform/deps.ts";
import { licenseOf } from "../../requests/payloads.ts";
import type { Licence } from "../../text/licences/licences.ts";
import {
  type Link,
  type LinkedWork,
  listDatasetDocuments,
  writeLinkHeader,
} from "../../text/metadata/links.ts";
import type { ShownRevision } from "../public-revisions.ts";

/** The Link header (RFC 8288) of a work's JSON, or of a page with more links; none where there is nothing to link to. */
export function linkHeaders(license: Licence | null, more: readonly Link[] = []): Record<string, string> {
  const links = [...(license === null ? [] : [{ rel: "license", href: license.url }]), ...more];
  return links.length === 0 ? {} : { link: writeLinkHeader(links) };
}

/** The link to the work that takes the place of a retracted one; none where no such address is given. */
export function linkSuccessor(url: string | null): Link[] {
  return url === null ? [] : [{ rel: "successor-version", href: url }];
}

/** The page of a work, or of the revision whose number was asked for. */
export function addressRevision(
  deps: Deps,
  { handle, slug }: OpenCreationRow,
  { asked }: Pick<ShownRevision, "asked">,
): string {
  const addresses = addressesOf(deps.config.siteUrl);
  return asked === null ? addresses.creation(handle, slug) : addresses.revision(handle, slug, asked);
}

/** The work that supersedes a retracted one; null where none is named that readers can open. */
export function addressSuccessor(
  { config }: Deps,
  { retracted }: Pick<OpenCreationRow, "retracted">,
): string | null {
  const successor = retracted?.successor ?? null;
  return successor && addressesOf(config.siteUrl).creation(successor.handle, successor.slug);
}

/** The links of a work's page, or of the page of the revision whose number was asked for. */
export function linkRevision(
  deps: Deps,
  creation: OpenCreationRow,
  revision: Pick<ShownRevision, "asked" | "revision_number" | "payload">,
  files: readonly FileRow[],
): LinkedWork {
  const { handle, slug, type } = creation;
  const { asked, revision_number, payload } = revision;
  const addresses = addressesOf(deps.config.siteUrl);
  const revisionUrl = addresses.revision(handle, slug, revision_number);
  const at = (name: string) => addresses.workDocument(handle, slug, asked, name);
  const documents = { croissant: at("croissant.json"), dataPackage: at("datapackage.json") };
  return {
    ...{ type, revisionUrl, linksetUrl: at("linkset.json") },
    url: addressRevision(deps, creation, revision),
    agentUrl: addresses.agent(handle),
    licenseUrl: licenseOf(payload)?.url ?? null,
    successorUrl: addressSuccessor(deps, creation),
    documents: [
      ...(type === "dataset" ? listDatasetDocuments(documents) : []),
      { href: at("cite.bib"), type: "application/x-bibtex" },
    ],
    files: files.map(({ asset_id, filename, format }) => ({
      url: addresses.media(asset_id, filename),
      format,
    })),
  };
}

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
