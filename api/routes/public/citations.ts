import { toAttachment } from "../../../shared/datasets/uploads/public-files.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { notFound } from "../../../shared/ground/errors.ts";
import { getCitation } from "../../../shared/reading/metadata/citations.ts";
import { CITATION_FILES, type CitationFile, writeCitation } from "../../../shared/text/citations/citation.ts";
import { writeLinkHeader } from "../../../shared/text/metadata/links.ts";
import type { RouteGroup } from "../../http/context.ts";
import { SANDBOX } from "../../http/hooks/security-headers.ts";
import { refuseAsNoindex } from "../../http/noindex-refusals.ts";
import { creationOf } from "../../http/page-cache/subjects.ts";
import {
  type AddPublicRoute,
  addressesBelowWork,
  answersAs,
  openPublicRoutes,
  openWork,
  readWork,
} from "../open-public-routes.ts";

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
    for (const url of addressesBelowWork(file)) addCitation(add, file, url);
    addCitation(add, file, `/@:handle/:slug/revisions/:number/${file}`);
  }
};

function addCitation(add: AddPublicRoute, file: CitationFile, url: string): void {
  const type = TYPES[file];
  const ofWhat = url.includes(":number") ? "published revision" : "work's current revision";
  add(url, {
    docs: answersAs(type, `How a ${ofWhat} is cited, ${WORDS[file]}`),
    // What a citation shows of its work and agent has the version of the work's page.
    subjectOf: (params) => creationOf(readWork(params)),
    async handle({ deps, params }) {
      const { number = null } = params;
      const { creation, about } = await openWork(deps, params, null);
      if (file === "citation.cff" && creation.type !== "dataset") throw notFound("published dataset");
      const citation = await refuseAsNoindex(creation, () => getCitation(deps, creation, number));
      const { creation: addressPage } = addressesOf(deps.config.siteUrl);
      const href = number === null ? addressPage(creation.handle, creation.slug) : citation.url;
      return {
        type: `${type}; charset=utf-8`,
        body: writeCitation(citation, file),
        ...about,
        headers: {
          ...SANDBOX,
          link: writeLinkHeader([{ rel: "describes", href, type: "text/html" }]),
          ...(file === "cite.txt"
            ? {}
            : { "content-disposition": toAttachment(nameFile(citation.key, file)) }),
        },
      };
    },
  });
}

/** A name by which a reader finds the file again; a CITATION.cff is found by its name alone. */
function nameFile(key: string, file: CitationFile): string {
  return file === "citation.cff" ? "CITATION.cff" : `${key}${file.slice("cite".length)}`;
}
