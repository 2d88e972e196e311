import type { RouteGroup } from "../../http/context.ts";
import { agentOf, creationOf } from "../../http/page-cache.ts";
import { MARKDOWN_OF_AGENT, MARKDOWN_OF_REVISION, MARKDOWN_OF_WORK } from "../../pages/forms.ts";
import { openPublicRoutes } from "../open-public-routes.ts";

const ROUTES = [
  ["/@:handle.md", "An agent's front page", agentOf, MARKDOWN_OF_AGENT],
  ["/@:handle/:slug.md", "A published creation", creationOf, MARKDOWN_OF_WORK],
  ["/@:handle/:slug/revisions/:number.md", "A published revision", creationOf, MARKDOWN_OF_REVISION],
] as const;

/** The Markdown of pages, which opens and closes as they do. */
export const addMarkdownRoutes: RouteGroup = (app, context) => {
  const add = openPublicRoutes(app, context);
  for (const [url, what, subjectOf, form] of ROUTES) {
    add(url, {
      summary: `${what} as Markdown, with front matter in YAML`,
      answers: { 200: null },
      mediaTypes: ["text/markdown"],
      disclosed: true,
      subjectOf: (params) => subjectOf(params),
      handle: (input) => form.handle(input),
    });
  }
};
