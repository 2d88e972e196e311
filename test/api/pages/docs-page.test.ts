import { expect, test } from "vitest";
import { DOCS_GROUPS, DOCS_SLUGS, openDocsPages } from "../../../api/openapi/documentation/docs-pages.ts";
import { labelCode } from "../../../api/openapi/documentation/pages.ts";
import { loadConfig } from "../../../shared/platform/config.ts";
import { type Element, readAttribute, readPage, readText } from "./dom.ts";

const block = (language: string, code: string) =>
  `<pre tabindex="0"><code class="language-${language}">${code}</code></pre>\n`;
const captionsOf = (html: string) =>
  readPage(html)
    .all("figure")
    .filter((figure) => readAttribute(figure, "class")?.startsWith("listing"))
    .map((figure) => captionOf(figure));
const captionOf = (figure: Element) => {
  const caption = figure.childNodes.find((node) => node.nodeName === "figcaption");
  return caption && "tagName" in caption ? readText(caption) : null;
};

test("a request is labelled, and so is the answer that stands right below it", () => {
  const html = [
    block("sh", "curl &quot;$BASE&quot;"),
    block("json", "{}"),
    "<p>Both again, apart:</p>\n",
    block("sh", "curl &quot;$BASE&quot;"),
    "<p>Or this body:</p>\n",
    block("json", "{}"),
    block("http", "GET /creations"),
    block("json", "{}"),
    block("sh", "npm start"),
    block("text", "curl is not asked here"),
  ].join("");
  expect(captionsOf(labelCode(html))).toEqual([
    ...["Request", "Answer", "Request", "JSON", "Request", "Answer", "Commands", null],
  ]);
});

test("every code block of the documentation is in such a figure, and changes nothing but that", () => {
  for (const { slug, bodyHtml } of openDocsPages(loadConfig({}))) {
    const blocks = bodyHtml.match(/<pre tabindex="0">/g) ?? [];
    expect([slug, captionsOf(bodyHtml).length]).toEqual([slug, blocks.length]);
    expect(readPage(bodyHtml).all("figcaption", "class")).toEqual([]);
  }
  const [start] = openDocsPages(loadConfig({}));
  expect(DOCS_SLUGS[0]).toBe("getting-started");
  expect(DOCS_GROUPS.map(({ title }) => title)).toEqual([
    ...["Publish", "Read and reuse", "Reference", "Run the service"],
  ]);
  expect(captionsOf(start?.bodyHtml ?? "").slice(0, 2)).toEqual(["Request", "Answer"]);
});
