import { toAttachment } from "../../../shared/datasets/uploads/public-files.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { notFound } from "../../../shared/ground/errors.ts";
import { getCitation } from "../../../shared/reading/metadata/citations.ts";
import { CITATION_FILES, type CitationFile, writeCitation } from "../../../shared/text/citations/citation.ts";
import { writeLinkHeader } from "../../../shared/text/metadata/links.ts";
import type { RouteGroup } from "../../http/context.ts";
import { refuseAsNoindex } from "../../http/counted-reads.ts";
import { SANDBOX } from "../../http/hooks/security-headers.ts";
import { addDocument, addressesOfDocument, answersAs, openPublicRoutes } from "../open-public-routes.ts";

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
export const addCitationRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context);
  for (const file of CITATION_FILES) {
    const type = TYPES[file];
    const describe = (isOfRevision: boolean) => {
      const ofWhat = isOfRevision ? "published revision" : "work's current revision";
      return answersAs(type, `How a ${ofWhat} is cited, ${WORDS[file]}`);
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
