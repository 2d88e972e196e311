import type { z } from "zod";
import { toAttachment } from "../../../shared/datasets/uploads/public-files.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { notFound } from "../../../shared/ground/errors.ts";
import { getCitation } from "../../../shared/reading/metadata/citations.ts";
import {
  getMetadata,
  METADATA_NAMES,
  METADATA_TYPES,
  type MetadataName,
} from "../../../shared/reading/metadata/documents.ts";
import { CITATION_FILES, type CitationFile, writeCitation } from "../../../shared/text/citations/citation.ts";
import { writeLinkHeader } from "../../../shared/text/metadata/links.ts";
import type { RouteGroup } from "../../http/context.ts";
import { refuseAsNoindex } from "../../http/counted-reads.ts";
import { SANDBOX } from "../../http/hooks/security-headers.ts";
import { Croissant, DataPackage, Linkset } from "../../openapi/schemas.ts";
import { addDocument, addressesOfDocument, answersAs, openPublicRoutes } from "../open-public-routes.ts";

const DOCS: Readonly<Record<MetadataName, { what: string; schema: z.ZodType }>> = {
  "croissant.json": { what: "A dataset as Croissant describes it", schema: Croissant },
  "datapackage.json": { what: "A dataset as a Data Package", schema: DataPackage },
  "linkset.json": { what: "The links of a work's page, its documents and its files", schema: Linkset },
};

/** The documents that describe a work to tools: of the live revision, and of every published one. */
export const addMetadataRoutes: RouteGroup = (app, context) => {
  addCitationRoutes(app, context);
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

const TYPES: Readonly<Record<CitationFile, string>> = {
  "cite.bib": "application/x-bibtex",
  "cite.ris": "application/x-research-info-systems",
  "cite.csl.json": "application/vnd.citationstyles.csl+json",
  "cite.txt": "text/plain",
  "citation.cff": "text/yaml",
};
const WORDS: Readonly<Record<CitationFile, string>> = {
  "cite.bib": "in BibTeX",
  "cite.ris": "in RIS",
  "cite.csl.json": "in CSL-JSON",
  "cite.txt": "as one line in APA style",
  "citation.cff": "as CITATION.cff; datasets only",
};

/** The citations of a work, which always name a revision: the live one, or any published one by its number. */
const addCitationRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context);
  for (const file of CITATION_FILES) {
    const type = TYPES[file];
    const describe = (isOfRevision: boolean) => {
      const ofWhat = isOfRevision ? "published revision" : "work's current revision";
      const summary = `How a ${ofWhat} is cited, ${WORDS[file]}`;
      return { ...answersAs(type, summary), codes: ["revision_content_removed"] };
    };
    addDocument(add, addressesOfDocument(file), describe, async ({ deps }, creation, number) => {
      if (file === "citation.cff" && creation.type !== "dataset") throw notFound("published dataset");
      const citation = await refuseAsNoindex(creation, () => getCitation(deps, creation, number));
      const { handle, slug } = creation;
      const about = number === null ? addressesOf(deps.config.siteUrl).creation(handle, slug) : citation.url;
      const headers = {
        ...SANDBOX,
        link: writeLinkHeader([{ rel: "describes", href: about, type: "text/html" }]),
      };
      const saved = { "content-disposition": toAttachment(nameFile(citation.key, file)) };
      return {
        type: `${type}; charset=utf-8`,
        body: writeCitation(citation, file),
        headers: file === "cite.txt" ? headers : { ...headers, ...saved },
      };
    });
  }
};

/** A name by which a reader finds the file again; a CITATION.cff is found by its name alone. */
function nameFile(key: string, file: CitationFile): string {
  return file === "citation.cff" ? "CITATION.cff" : `${key}${file.slice("cite".length)}`;
}
