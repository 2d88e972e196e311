import type { OpenCreationRow } from "../../../sql/reading/open-creations.ts";
import type { RenderContext } from "../../datasets/render-context.ts";
import { notFound } from "../../ground/errors.ts";
import { CROISSANT, writeCroissant } from "../../text/metadata/croissant.ts";
import { writeDataPackage } from "../../text/metadata/data-package.ts";
import { LINKSET_TYPE, writeLinkHeader, writeLinkset } from "../../text/metadata/links.ts";
import { listLinkContexts } from "../../text/metadata/work-links.ts";
import { describeRevision } from "./describe-work.ts";
import { addressRevision, linkRevision } from "./link-revision.ts";
import { getShownRevision } from "./shown-revision.ts";

/** The documents that describe a work to tools, by their names in its address. */
export const METADATA_NAMES = ["croissant.json", "datapackage.json", "linkset.json"] as const;
export type MetadataName = (typeof METADATA_NAMES)[number];

/** The media type of each document. */
export const METADATA_TYPES: Readonly<Record<MetadataName, string>> = {
  "croissant.json": `application/ld+json; profile="${CROISSANT}"`,
  "datapackage.json": "application/json",
  "linkset.json": LINKSET_TYPE,
};

/** A document as text, with the Link header that leads to the page which it describes. */
export interface MetadataDocument {
  body: string;
  linkHeader: string;
}

/**
 * A document of an open creation, of its live revision or of a published one by its number. Throws 404 for the document
 * of a dataset about another work, 409 where the content was removed or the files were deleted.
 */
export async function getMetadata(
  context: RenderContext,
  creation: OpenCreationRow,
  { name, number }: { name: MetadataName; number: string | null },
): Promise<MetadataDocument> {
  if (name !== "linkset.json" && creation.type !== "dataset") throw notFound("published dataset");
  const revision = await getShownRevision(context.deps, creation, number);
  const href = addressRevision(context.deps, creation, revision);
  const linkHeader = writeLinkHeader([{ rel: "describes", href, type: "text/html" }]);
  if (name === "linkset.json") {
    const work = linkRevision(context.deps, creation, revision, await revision.files);
    return { body: JSON.stringify(writeLinkset(listLinkContexts(work))), linkHeader };
  }
  const dataset = await describeRevision(context, creation, revision);
  const document = name === "croissant.json" ? writeCroissant(dataset) : writeDataPackage(dataset);
  return { body: JSON.stringify(document), linkHeader };
}
