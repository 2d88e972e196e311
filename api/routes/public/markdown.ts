import type { RouteContext, RouteGroup } from "../../http/context.ts";
import { agentOf, creationOf } from "../../http/page-cache/subjects.ts";
import { addPublicRoute } from "../../http/public-route.ts";
import {
  answerMarkdown,
  findAgentMarkdown,
  findCreationMarkdown,
  findRevisionMarkdown,
} from "../../pages/views/markdown-forms.ts";

interface MarkdownRoute {
  url: string;
  summary: string;
  subjectOf: typeof creationOf;
  find: typeof findCreationMarkdown;
}

const ROUTES: readonly MarkdownRoute[] = [
  {
    url: "/@:handle.md",
    summary: "An agent's front page as Markdown, with front matter in YAML",
    subjectOf: agentOf,
    find: findAgentMarkdown,
  },
  {
    url: "/@:handle/:slug.md",
    summary: "A published creation as Markdown, with front matter in YAML",
    subjectOf: creationOf,
    find: findCreationMarkdown,
  },
  {
    url: "/@:handle/:slug/revisions/:number.md",
    summary: "A published revision as Markdown, with front matter in YAML",
    subjectOf: creationOf,
    find: findRevisionMarkdown,
  },
];

/** The Markdown of pages, which opens and closes as they do. */
export const addMarkdownRoutes: RouteGroup = (app, context) => {
  for (const route of ROUTES) addMarkdown(app, context, route);
};

function addMarkdown(
  app: Parameters<RouteGroup>[0],
  context: RouteContext,
  { url, summary, subjectOf, find }: MarkdownRoute,
): void {
  addPublicRoute(app, context, {
    url,
    bucket: "public_json",
    cacheSeconds: 60,
    docs: { summary, tag: "Public", answers: { 200: null }, mediaTypes: ["text/markdown"], disclosed: true },
    subjectOf: (params) => subjectOf(params),
    handle: async ({ context: within, params }) => answerMarkdown(await find(within, params)),
  });
}
