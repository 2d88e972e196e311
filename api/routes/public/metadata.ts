import type { z } from "zod";
import {
  getMetadata,
  METADATA_NAMES,
  METADATA_TYPES,
  type MetadataName,
} from "../../../shared/reading/metadata/documents.ts";
import { getOpenCreation } from "../../../shared/reading/public-creation.ts";
import type { RouteContext, RouteGroup } from "../../http/context.ts";
import { refuseAsNoindex } from "../../http/noindex-refusals.ts";
import { creationOf } from "../../http/page-cache/subjects.ts";
import { addPublicRoute } from "../../http/public-route.ts";
import { Croissant, DataPackage, Linkset } from "../../openapi/schemas.ts";

const DOCS: Readonly<Record<MetadataName, { what: string; schema: z.ZodType }>> = {
  "croissant.json": { what: "A dataset as Croissant describes it", schema: Croissant },
  "datapackage.json": { what: "A dataset as a Data Package", schema: DataPackage },
  "linkset.json": { what: "The links of a work's page, its documents and its files", schema: Linkset },
};

/** The documents that describe a work to tools: of the live revision, and of every published one. */
export const addMetadataRoutes: RouteGroup = (app, context) => {
  for (const name of METADATA_NAMES) {
    addMetadata(app, context, "/@:handle/:slug", name);
    // No section has a dot in its name, so this is the document of the work whose slug is `section`.
    addMetadata(app, context, "/@:handle/section", name);
    addMetadata(app, context, "/@:handle/:slug/revisions/:number", name);
  }
};

function addMetadata(
  app: Parameters<RouteGroup>[0],
  context: RouteContext,
  folder: string,
  name: MetadataName,
): void {
  const isOfRevision = folder.includes(":number");
  const { what, schema } = DOCS[name];
  addPublicRoute(app, context, {
    url: `${folder}/${name}`,
    bucket: "public_json",
    cacheSeconds: 60,
    docs: {
      summary: `${what}${isOfRevision ? ", as of a published revision" : ""}`,
      tag: "Public",
      answers: { 200: schema },
      mediaTypes: METADATA_TYPES[name].split(";").slice(0, 1),
      codes: ["revision_content_removed", "revision_files_deleted"],
    },
    // What a document shows of its work, agent and owner has the version of the work's page.
    subjectOf: (params) => creationOf({ slug: "section", ...params }),
    async handle({ deps, context, params }) {
      const { handle = "", slug = "section", number = null } = params;
      const creation = await getOpenCreation(deps, handle, slug);
      const { body, linkHeader } = await refuseAsNoindex(creation, () =>
        getMetadata(context, creation, { name, number }),
      );
      return {
        type: METADATA_TYPES[name],
        body,
        noindex: creation.visibility === "unlisted",
        headers: { link: linkHeader },
      };
    },
  });
}
