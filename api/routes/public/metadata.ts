import type { z } from "zod";
import {
  getMetadata,
  METADATA_NAMES,
  METADATA_TYPES,
  type MetadataName,
} from "../../../shared/reading/metadata/documents.ts";
import type { RouteGroup } from "../../http/context.ts";
import { refuseAsNoindex } from "../../http/counted-reads.ts";
import { Croissant, DataPackage, Linkset } from "../../openapi/schemas.ts";
import { addDocument, addressesOfDocument, openPublicRoutes } from "../open-public-routes.ts";

const DOCS: Readonly<Record<MetadataName, { what: string; schema: z.ZodType }>> = {
  "croissant.json": { what: "A dataset as Croissant describes it", schema: Croissant },
  "datapackage.json": { what: "A dataset as a Data Package", schema: DataPackage },
  "linkset.json": { what: "The links of a work's page, its documents and its files", schema: Linkset },
};

/** The documents that describe a work to tools: of the live revision, and of every published one. */
export const addMetadataRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context);
  for (const name of METADATA_NAMES) {
    const { what, schema } = DOCS[name];
    const describe = (isOfRevision: boolean) => ({
      summary: `${what}${isOfRevision ? ", as of a published revision" : ""}`,
      answers: { 200: schema },
      mediaTypes: METADATA_TYPES[name].split(";").slice(0, 1),
      codes: ["revision_content_removed", "revision_files_deleted"],
    });
    addDocument(add, addressesOfDocument(name), describe, async (input, creation, number) => {
      const { body, linkHeader } = await refuseAsNoindex(creation, () =>
        getMetadata(input.context, creation, { name, number }),
      );
      return { type: METADATA_TYPES[name], body, headers: { link: linkHeader } };
    });
  }
};
