import { addressesOf } from "../../../shared/ground/addresses.ts";
import { stringifyJson } from "../../../shared/ground/raw-json.ts";
import { getCitation } from "../../../shared/reading/metadata/citations.ts";
import { getMetadata, METADATA_TYPES } from "../../../shared/reading/metadata/documents.ts";
import { workDisclosureHeaders } from "../../../shared/reading/present-disclosure.ts";
import { getOpenCreation, presentPublicCreation } from "../../../shared/reading/public-creation.ts";
import { writeCitation } from "../../../shared/text/citations/write-citation.ts";
import { CROISSANT } from "../../../shared/text/metadata/croissant.ts";
import type { RouteContext } from "../../http/context.ts";
import { readOf } from "../../http/counted-reads.ts";
import type { FormAnswer, PageForm } from "../../http/page-route.ts";
import { describeForMachines } from "../site/creation-data.ts";
import { toCreationView } from "./creation-view.ts";
import { MARKDOWN_OF_WORK } from "./markdown-forms.ts";

type OpenCreation = Awaited<ReturnType<typeof getOpenCreation>>;

interface Opened {
  context: RouteContext;
  creation: OpenCreation;
  /** The address of the page. */
  url: string;
  at(name: string): string;
}

/** What a form says, and the address that has it alone. */
type Said = Pick<FormAnswer, "body" | "location">;

const CITATION_TYPES = {
  "cite.csl.json": "application/vnd.citationstyles.csl+json",
  "cite.bib": "application/x-bibtex",
} as const;

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

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  [CROISSANT]: METADATA_TYPES["croissant.json"],
  "application/json": "application/json; charset=utf-8",
  [CITATION_TYPES["cite.csl.json"]]: `${CITATION_TYPES["cite.csl.json"]}; charset=utf-8`,
  [CITATION_TYPES["cite.bib"]]: `${CITATION_TYPES["cite.bib"]}; charset=utf-8`,
};

/** The forms that count as reads, as they do at their own addresses; citations and metadata do not. */
const COUNTED_FORMS: Readonly<Record<string, "json" | "markdown">> = {
  "application/json": "json",
  "text/markdown": "markdown",
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
      const form = COUNTED_FORMS[type];
      const read = form && readOf(creation, form);
      const headers = workDisclosureHeaders(creation);
      return { ...said, type: CONTENT_TYPES[profile ?? type] ?? type, noindex, headers, read };
    },
  };
}
