import LinkHeader from "http-link-header";
import { describe, expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import type { Link } from "../../../../shared/text/metadata/links.ts";
import { removeContent } from "../../../../shared/works/creations/take-down.ts";
import { type Json, makeCreation, publish } from "../../../support/agent.ts";
import { expandJsonLd } from "../../../support/json-ld.ts";
import { runSql } from "../../../support/tables.ts";
import { readAttribute, readPage, readText } from "../../pages/dom.ts";
import { openMetadataSite } from "./metadata-site.ts";

const DOCUMENTS = ["croissant.json", "datapackage.json", "linkset.json", "cite.bib"];
const BROWSERS = [
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "*/*",
  "text/html, application/json",
  "application/pdf",
  "application/json;q=0",
  "application/json;q=0.4, */*",
];

const site = await openMetadataSite();

const readLinks = (header: unknown): Link[] =>
  LinkHeader.parse(String(header)).refs.map(({ uri, ...more }) => ({ href: uri, ...more }));

describe("the page of a dataset", () => {
  test("links to what it is cited as, its author, licence, documents and files, and the linkset has the same", async () => {
    const { headers, text } = await site.get(site.page);
    const links = readLinks(headers.link);
    expect(links.map(({ rel, type }) => `${rel} ${type ?? ""}`.trim())).toEqual([
      ...["cite-as", "type", "type", "author", "license"],
      ...[
        "describedby application/ld+json",
        "describedby application/json",
        "describedby application/x-bibtex",
      ],
      "alternate text/markdown",
      ...["item text/csv", "item application/json", "linkset application/linkset+json"],
    ]);
    expect((await site.get(site.page, {}, "HEAD")).headers.link).toBe(headers.link);
    const { linkset } = await site.read(`${site.page}/linkset.json`);
    const [{ anchor, ...relations }] = linkset;
    expect(anchor).toBe(site.page);
    const listed = Object.entries(relations).flatMap(([rel, targets]) =>
      (targets as Json[]).map(({ profile, ...target }) => ({
        rel,
        ...target,
        ...(profile && { profile: profile[0] }),
      })),
    );
    expect(new Set(listed.map(sortMembers))).toEqual(new Set(links.map(sortMembers)));
    const inHead = readPage(text)
      .all("link")
      .map((link) => `${readAttribute(link, "rel")} ${readAttribute(link, "href")}`);
    const repeated = links.filter(({ rel }) =>
      ["cite-as", "describedby", "license", "linkset"].includes(rel),
    );
    expect(inHead).toEqual(
      expect.arrayContaining(repeated.map(({ rel, href }) => `${rel} ${href.replace(site.site, "")}`)),
    );
  });

  test("leads from each file back to it, and from no file to an unlisted work that shares it", async () => {
    const [attachment] = site.payload.attachments;
    const { files } = (await site.get(`${site.page}.json`)).json.data;
    const back = `<${site.page}>; rel="collection"; type="text/html"`;
    expect((await site.get(files[0].url)).headers.link).toBe(back);
    expect(
      (await site.get(files[0].url, { "if-none-match": `"${files[0].content_sha256}"` })).headers.link,
    ).toBe(back);
    const hidden = await makeCreation(site.agent, {
      type: "dataset",
      slug: "hidden",
      payload: { title: "Hidden", attachments: [attachment] },
    });
    await publish(site.agent, hidden, { visibility: "unlisted" });
    expect((await site.get(files[0].url)).headers.link).toBe(back);
    const robots = await Promise.all(
      DOCUMENTS.map(
        async (name) => (await site.get(`${site.site}/@tidewatch/hidden/${name}`)).headers["x-robots-tag"],
      ),
    );
    expect(new Set(robots)).toEqual(new Set(["noindex"]));
  });

  test("describes it in words of schema.org, which end no script", async () => {
    const { text } = await site.get(site.page);
    const scripts = readPage(text).all("script", "type", "application/ld+json");
    expect(scripts).toHaveLength(1);
    const data = JSON.parse(readText(scripts[0] as Parameters<typeof readText>[0]));
    expect(data).toMatchObject({
      name: 'Gauge "readings" </script><b>',
      license: "https://creativecommons.org/licenses/by/4.0/",
      identifier: [`${site.page}/revisions/2`, expect.stringMatching(/^sha256:[0-9a-f]{64}$/)],
      keywords: ["Gauges & more"],
      publisher: { "@type": "Organization", name: "Broadsheet" },
      includedInDataCatalog: { "@type": "DataCatalog", name: "Broadsheet", url: site.site },
    });
    const [expanded] = await expandJsonLd(data, site.page);
    expect(expanded["http://schema.org/distribution"].length).toBe(data.distribution.length);
    expect(data.distribution.filter((one: Json) => one.sha256 === undefined)).toHaveLength(2);
    for (const { contentUrl, encodingFormat } of data.distribution) {
      const { status, headers } = await site.get(contentUrl);
      expect([contentUrl, status, headers["content-type"]]).toEqual([
        contentUrl,
        200,
        expect.stringContaining(encodingFormat),
      ]);
    }
    expect(findFaultsForGoogle(data)).toEqual([]);
  });
});

const sortMembers = (link: object) => JSON.stringify(Object.entries(link).toSorted());

/** What Google's documentation on datasets requires, and the types that it names for the members that it recommends. */
function findFaultsForGoogle(data: Json): string[] {
  const isUrl = (value: unknown) => typeof value === "string" && URL.canParse(value);
  const isOf = (value: Json, ...types: string[]) => types.includes(value?.["@type"]);
  const rules: Record<string, boolean> = {
    "@type": data["@type"] === "Dataset",
    name: typeof data.name === "string" && data.name !== "",
    description: data.description.length >= 50 && data.description.length <= 5_000,
    creator:
      isOf(data.creator, "Person", "Organization") && data.creator.name !== "" && isUrl(data.creator.url),
    identifier: data.identifier.every((one: unknown) => typeof one === "string"),
    isAccessibleForFree: typeof data.isAccessibleForFree === "boolean",
    keywords: data.keywords.every((word: unknown) => typeof word === "string"),
    license: isUrl(data.license),
    url: isUrl(data.url),
    version: typeof data.version === "string",
    variableMeasured: data.variableMeasured.every(
      (one: Json) => isOf(one, "PropertyValue") && one.name !== "",
    ),
    includedInDataCatalog: isOf(data.includedInDataCatalog, "DataCatalog"),
    distribution: data.distribution.every((one: Json) => isOf(one, "DataDownload") && isUrl(one.contentUrl)),
  };
  return Object.entries(rules).flatMap(([name, holds]) => (holds ? [] : [name]));
}

describe("the Accept header of a request for the page", () => {
  test.each([
    [
      'application/ld+json; profile="http://mlcommons.org/croissant/1.1"',
      "application/ld+json",
      "/croissant.json",
    ],
    ["application/ld+json", "application/ld+json", ""],
    ["application/json", "application/json", ".json"],
    ["application/json, text/plain, */*", "application/json", ".json"],
    ["text/html;q=0.5, APPLICATION/JSON", "application/json", ".json"],
    ["application/vnd.citationstyles.csl+json", "application/vnd.citationstyles.csl+json", "/cite.csl.json"],
    ["application/x-bibtex, text/html;q=0.9", "application/x-bibtex", "/cite.bib"],
  ])("%s gets that form, twice the same", async (accept, type, end) => {
    for (const _ of ["rendered", "cached"]) {
      const reply = await site.get(site.page, { accept });
      expect([reply.status, reply.headers["content-location"], reply.headers.vary]).toEqual([
        200,
        `${site.page}${end}`,
        "Accept",
      ]);
      expect(String(reply.headers["content-type"])).toContain(type);
      expect(reply.headers["access-control-allow-origin"]).toBe("*");
      if (end !== "") expect(reply.text).toBe((await site.get(`${site.page}${end}`)).text);
    }
    expect((await site.get(site.page)).headers["content-type"]).toBe("text/html; charset=utf-8");
  });

  test.each(BROWSERS)("%s gets the page", async (accept) => {
    const { status, headers } = await site.get(site.page, { accept });
    expect([status, headers["content-type"], headers.vary]).toEqual([
      200,
      "text/html; charset=utf-8",
      "Accept, accept-encoding",
    ]);
  });
});

describe("the documents of a work", () => {
  const statusesOf = async (paths: string[]) =>
    new Set(await Promise.all(paths.map(async (path) => (await site.get(path)).status)));

  test("of a revision whose files were deleted, or whose content was removed, say so", async () => {
    const path = (name: string) => `${site.page}/revisions/1/${name}`;
    const codeOf = async (name: string) => {
      const { status, json } = await site.get(path(name));
      return [status, json?.code];
    };
    const metadata = DOCUMENTS.slice(0, 3);
    const [{ id }] = await runSql(
      site.service,
      "SELECT id FROM creation_revisions WHERE creation_id = $1 AND revision_number = 1",
      [site.dataset.id],
    );
    await runSql(site.service, "UPDATE creation_revisions SET files_deleted_at = now() WHERE id = $1", [id]);
    await runSql(site.service, "UPDATE creations SET page_version = page_version + 1 WHERE id = $1", [
      site.dataset.id,
    ]);
    for (const name of metadata) expect(await codeOf(name)).toEqual([409, "revision_files_deleted"]);
    const { text } = await site.get(`${site.page}/revisions/1.md`);
    expect(text).toMatch(/^The files of this revision were deleted on \d{4}-\d\d-\d\d, but for those that /m);
    await removeContent(site.service.deps, COMMAND_LINE, id, "moderator");
    for (const name of DOCUMENTS) expect(await codeOf(name)).toEqual([409, "revision_content_removed"]);
    expect(await statusesOf(metadata.map((name) => `${site.page}/${name}`))).toEqual(new Set([200]));
  });
});
