import { z } from "zod";
import { address } from "./members.ts";

const time = z.iso.datetime().describe("In UTC, with milliseconds where it has some.");
const authors = z.array(z.strictObject({ name: z.string(), url: address }));

/** A JSON Feed 1.1, beside each Atom feed. */
export const JsonFeed = z.strictObject({
  version: z.literal("https://jsonfeed.org/version/1.1"),
  title: z.string(),
  home_page_url: address,
  feed_url: address,
  description: z.string().optional(),
  authors: authors.optional(),
  items: z.array(
    z.strictObject({
      id: z.string().describe("That of the entry in the Atom feed; it never changes."),
      url: address.describe("The page."),
      title: z.string(),
      content_text: z.string().describe("The summary, or what the Atom feed has in its place."),
      date_published: time,
      date_modified: time.describe("The last update that was not minor."),
      authors,
      language: z.string().optional().describe("As a tag of BCP 47, where it is said."),
      tags: z.array(z.string()).optional().describe("As the categories of the Atom feed."),
      _json_url: address.optional().describe("The page as JSON."),
    }),
  ),
});
