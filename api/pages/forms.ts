import { addressesOf } from "../../shared/ground/addresses.ts";
import { stringifyJson } from "../../shared/ground/raw-json.ts";
import { getCitation } from "../../shared/reading/metadata/citations.ts";
import { getMetadata, METADATA_TYPES } from "../../shared/reading/metadata/documents.ts";
import { linkSuccessor } from "../../shared/reading/metadata/links.ts";
import { disclosureHeaders, workDisclosureHeaders } from "../../shared/reading/present-marks.ts";
import { getOpenCreation, presentPublicCreation } from "../../shared/reading/public-creation.ts";
import { getFrontPage } from "../../shared/reading/public-profile.ts";
import {
  type Twin,
  writeAgentTwin,
  writeCreationTwin,
  writeRevisionTwin,
} from "../../shared/reading/twins.ts";
import { writeCitation } from "../../shared/text/citations/citation.ts";
import { CROISSANT } from "../../shared/text/metadata/croissant.ts";
import { writeLinkHeader } from "../../shared/text/metadata/links.ts";
import type { RouteContext } from "../http/context.ts";
import { readOf } from "../http/counted-reads.ts";
import type { FormAnswer, PageForm } from "../http/page-route.ts";
import { describeForMachines } from "./site/creation-data.ts";
import { toCreationView } from "./site/creation-view.ts";
import type { OpenCreation } from "./site/revision-frame.ts";

interface Opened {
  context: RouteContext;
  creation: OpenCreation;
  /** The address of the page. */
  url: string;
  at(name: string): string;
}

type Said = Pick<FormAnswer, "body" | "location">;

const CITATION_TYPES = {
  "cite.csl.json": "application/vnd.citationstyles.csl+json",
  "cite.bib": "application/x-bibtex",
} as const;

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  [CROISSANT]: METADATA_TYPES["croissant.json"],
  "application/json": "application/json; charset=utf-8",
  [CITATION_TYPES["cite.csl.json"]]: `${CITATION_TYPES["cite.csl.json"]}; charset=utf-8`,
  [CITATION_TYPES["cite.bib"]]: `${CITATION_TYPES["cite.bib"]}; charset=utf-8`,
};

function form(type: string, say: (opened: Opened) => Promise<Said | null>, profile?: string): PageForm {
  return {
    type,
    ...(profile === undefined ? {} : { profile }),
    async handle({ context, params: { handle = "", slug = "" } }) {
      const creation = await getOpenCreation(context.deps, handle, slug);
      const addresses = addressesOf(context.deps.config.siteUrl);
      const said = await say({
        ...{ context, creation },
        url: addresses.creation(handle, slug),
        at: (name) => addresses.workDocument(handle, slug, null, name),
      });
      if (said === null) return null;
      const noindex = creation.visibility === "unlisted";
      // As at their own addresses, citations and metadata count no reads.
      const read = type === "application/json" ? readOf(creation, "json") : undefined;
      const headers = workDisclosureHeaders(creation);
      return { ...said, type: CONTENT_TYPES[profile ?? type] ?? type, noindex, headers, read };
    },
  };
}

/** The Markdown of a work's page. Throws `not_found` where that page is closed. */
export const MARKDOWN_OF_WORK = markdown(async ({ deps }, { handle = "", slug = "" }) => {
  const creation = await getOpenCreation(deps, handle, slug);
  return answer(await writeCreationTwin(deps, creation), creation);
});

/** The Markdown of a published revision's page. Throws `not_found` where that page is closed. */
export const MARKDOWN_OF_REVISION = markdown(async ({ deps }, { handle = "", slug = "", number = "" }) => {
  const creation = await getOpenCreation(deps, handle, slug);
  return answer(await writeRevisionTwin(deps, creation, number), creation);
});

/** The Markdown of a front page. Throws `not_found` where that page is closed. */
export const MARKDOWN_OF_AGENT = markdown(async ({ deps }, { handle = "" }) =>
  answer(await writeAgentTwin(deps, await getFrontPage(deps, handle)), null),
);

function markdown(find: (context: RouteContext, params: Record<string, string>) => Promise<FormAnswer>) {
  return {
    type: "text/markdown",
    handle: ({ context, params }) => find(context, params),
  } satisfies PageForm;
}

/** The Markdown of a page as it is sent, at its own address and at that of the page; a front page counts no reads. */
function answer({ markdown, url, pageUrl, successorUrl, made }: Twin, creation: OpenCreation | null) {
  const canonical = { rel: "canonical", href: pageUrl, type: "text/html" };
  const link = writeLinkHeader([canonical, ...linkSuccessor(successorUrl)]);
  return {
    type: "text/markdown; charset=utf-8",
    body: markdown,
    location: url,
    noindex: creation?.visibility === "unlisted",
    headers: { link, ...disclosureHeaders(made) },
    read: creation === null ? undefined : readOf(creation, "markdown"),
  };
}

/** The forms in which the page of a creation answers, beside HTML. */
export const CREATION_FORMS: readonly PageForm[] = [
  form(
    "application/ld+json",
    async ({ context, creation, at }) => {
      if (creation.type !== "dataset") return null;
      const { body } = await getMetadata(context, creation, { name: "croissant.json", number: null });
      return { body, location: at("croissant.json") };
    },
    CROISSANT,
  ),
  form("application/ld+json", async ({ context, creation, url }) => {
    const view = await toCreationView(context, creation, "published");
    return { body: JSON.stringify(describeForMachines(view)), location: url };
  }),
  form("application/json", async ({ context, creation, url }) => {
    const data = await presentPublicCreation(context.deps, creation);
    return { body: stringifyJson({ data }), location: data.json_url ?? url };
  }),
  ...(["cite.csl.json", "cite.bib"] as const).map((file) =>
    form(CITATION_TYPES[file], async ({ context, creation, at }) => ({
      body: writeCitation(await getCitation(context.deps, creation, null), file),
      location: at(file),
    })),
  ),
  MARKDOWN_OF_WORK,
];
