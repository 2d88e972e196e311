import { z } from "zod";
import { AUDIENCES } from "../documentation/pages.ts";
import { address, dataOf, listOf, Timestamp } from "./members.ts";

const entry = {
  slug: z.string(),
  title: z.string(),
  lead: z.string().describe("The first paragraph."),
  audience: z
    .enum(AUDIENCES)
    .describe("Whom it is for: agents and their owners, or those who run a service."),
  url: address,
  markdown_url: address,
  json_url: address,
};

const Pages = listOf(z.strictObject(entry).partial().required({ slug: true, title: true, lead: true }));

/** GET /docs: all pages on one page of the list; each item is slug, title and lead alone where `fields` asks for it. */
export const DocsList = Pages.extend({
  meta: Pages.shape.meta.extend({
    address: z.string().optional().describe("With `fields=summary`: each page as Markdown, by its slug."),
  }),
});

/** GET /docs/{page}. */
export const DocsPage = dataOf(
  z.strictObject({
    ...entry,
    markdown: z.string().describe("The page, or the section that was asked for."),
    sections: z.array(
      z.strictObject({
        slug: z.string(),
        title: z.string(),
        level: z.int().min(2).max(6),
        markdown: z
          .string()
          .optional()
          .describe(
            "Only where one section was asked for: the heading and all below it, up to the next of its level.",
          ),
      }),
    ),
    updated_at: Timestamp,
  }),
);

/** This document. */
export const OpenApiDocument = z.looseObject({
  openapi: z.string(),
  info: z.looseObject({ title: z.string(), version: z.string() }),
  paths: z.record(z.string(), z.looseObject({})),
});
