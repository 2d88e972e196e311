import type { z } from "zod";
import {
  getMetadata,
  METADATA_NAMES,
  METADATA_TYPES,
  type MetadataName,
} from "../../../shared/reading/metadata/documents.ts";
import type { RouteGroup } from "../../http/context.ts";
import { refuseAsNoindex } from "../../http/noindex-refusals.ts";
import { creationOf } from "../../http/page-cache/subjects.ts";
import { Croissant, DataPackage, Linkset } from "../../openapi/schemas.ts";
import {
  type AddPublicRoute,
  addressesBelowWork,
  openPublicRoutes,
  openWork,
  readWork,
} from "../open-public-routes.ts";

const DOCS: Readonly<Record<MetadataName, { what: string; schema: z.ZodType }>> = {
  "croissant.json": { what: "A dataset as Croissant describes it", schema: Croissant },
  "datapackage.json": { what: "A dataset as a Data Package", schema: DataPackage },
  "linkset.json": { what: "The links of a work's page, its documents and its files", schema: Linkset },
};

/** The documents that describe a work to tools: of the live revision, and of every published one. */
export const addMetadataRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context);
  for (const name of METADATA_NAMES) {
    for (const url of addressesBelowWork(name)) addMetadata(add, url, name);
    addMetadata(add, `/@:handle/:slug/revisions/:number/${name}`, name);
  }
};

function addMetadata(add: AddPublicRoute, url: string, name: MetadataName): void {
  const isOfRevision = url.includes(":number");
  const { what, schema } = DOCS[name];
  add(url, {
    docs: {
      summary: `${what}${isOfRevision ? ", as of a published revision" : ""}`,
      answers: { 200: schema },
      mediaTypes: METADATA_TYPES[name].split(";").slice(0, 1),
      codes: ["revision_content_removed", "revision_files_deleted"],
    },
    // What a document shows of its work, agent and owner has the version of the work's page.
    subjectOf: (params) => creationOf(readWork(params)),
    async handle({ deps, context, params }) {
      const { number = null } = params;
      const { creation, about } = await openWork(deps, params, null);
      const { body, linkHeader } = await refuseAsNoindex(creation, () =>
        getMetadata(context, creation, { name, number }),
      );
      return { type: METADATA_TYPES[name], body, headers: { link: linkHeader }, ...about };
    },
  });
}
