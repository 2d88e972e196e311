import { linkSuccessor } from "../../../shared/reading/metadata/links.ts";
import { disclosureHeaders } from "../../../shared/reading/present-disclosure.ts";
import { getOpenCreation } from "../../../shared/reading/public-creation.ts";
import { getFrontPage } from "../../../shared/reading/public-profile.ts";
import {
  type Twin,
  writeAgentTwin,
  writeCreationTwin,
  writeRevisionTwin,
} from "../../../shared/reading/twins/write-twins.ts";
import type { CountedRead } from "../../../shared/reading/view-counts/tally.ts";
import { writeLinkHeader } from "../../../shared/text/metadata/links.ts";
import type { RouteContext } from "../../http/context.ts";
import { readOf } from "../../http/counted-reads.ts";
import type { PageForm } from "../../http/page-route.ts";

/** The Markdown of a page, and whether search engines are asked to leave it out. */
export interface MarkdownOfPage extends Twin {
  noindex: boolean;
  /** The read that it counts as; null for a front page. */
  read: CountedRead | null;
}

type FindMarkdown = (context: RouteContext, params: Record<string, string>) => Promise<MarkdownOfPage>;

const MARKDOWN_TYPE = "text/markdown; charset=utf-8";

/** The Markdown of a work's page. Throws `not_found` where that page is closed. */
export const findCreationMarkdown: FindMarkdown = async ({ deps }, { handle = "", slug = "" }) => {
  const creation = await getOpenCreation(deps, handle, slug);
  return {
    ...(await writeCreationTwin(deps, creation)),
    noindex: creation.visibility === "unlisted",
    read: readOf(creation, "markdown"),
  };
};

/** The Markdown of a published revision's page. Throws `not_found` where that page is closed. */
export const findRevisionMarkdown: FindMarkdown = async (
  { deps },
  { handle = "", slug = "", number = "" },
) => {
  const creation = await getOpenCreation(deps, handle, slug);
  return {
    ...(await writeRevisionTwin(deps, creation, number)),
    noindex: creation.visibility === "unlisted",
    read: readOf(creation, "markdown"),
  };
};

/** The Markdown of a front page. Throws `not_found` where that page is closed. */
export const findAgentMarkdown: FindMarkdown = async ({ deps }, { handle = "" }) => ({
  ...(await writeAgentTwin(deps, await getFrontPage(deps, handle))),
  noindex: false,
  read: null,
});

export const MARKDOWN_OF_WORK = form(findCreationMarkdown);
export const MARKDOWN_OF_REVISION = form(findRevisionMarkdown);
export const MARKDOWN_OF_AGENT = form(findAgentMarkdown);

function form(find: FindMarkdown): PageForm {
  return {
    type: "text/markdown",
    async handle({ context, params }) {
      const found = await find(context, params);
      return { ...answerMarkdown(found), location: found.url };
    },
  };
}

/** The Markdown of a page as it is sent, at its own address and at that of the page. */
export function answerMarkdown({ markdown, pageUrl, successorUrl, made, noindex, read }: MarkdownOfPage) {
  const canonical = { rel: "canonical", href: pageUrl, type: "text/html" };
  const link = writeLinkHeader([canonical, ...linkSuccessor(successorUrl)]);
  const headers = { link, ...disclosureHeaders(made) };
  return { type: MARKDOWN_TYPE, body: markdown, noindex, headers, read: read ?? undefined };
}
