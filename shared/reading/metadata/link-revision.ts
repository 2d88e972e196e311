import type { FileRow } from "../../../sql/datasets/revision-files.ts";
import type { OpenCreationRow } from "../../../sql/reading/open-creations.ts";
import { addressesOf } from "../../ground/addresses.ts";
import type { Deps } from "../../platform/deps.ts";
import { licenseOf } from "../../requests/payload-members.ts";
import { type LinkedWork, listDatasetDocuments } from "../../text/metadata/work-links.ts";
import type { ShownRevision } from "./shown-revision.ts";

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
  revision: Pick<ShownRevision, "asked" | "revisionNumber" | "payload">,
  files: readonly FileRow[],
): LinkedWork {
  const { handle, slug, type } = creation;
  const { asked, revisionNumber, payload } = revision;
  const addresses = addressesOf(deps.config.siteUrl);
  const revisionUrl = addresses.revision(handle, slug, revisionNumber);
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
