import LinkHeader from "http-link-header";
import { describe, expect, test } from "vitest";
import {
  type Link,
  type LinkedWork,
  listDatasetDocuments,
  listLinkContexts,
  listWorkLinks,
  writeLinkHeader,
  writeLinkset,
} from "../../../../shared/text/metadata/links.ts";

const SITE = "https://example.org";
const url = `${SITE}/@tidewatch/gauge-readings`;
const DATASET: LinkedWork = {
  type: "dataset",
  url,
  revisionUrl: `${url}/revisions/3`,
  agentUrl: `${SITE}/@tidewatch`,
  licenseUrl: "https://creativecommons.org/licenses/by/4.0/",
  documents: listDatasetDocuments({
    croissant: `${url}/croissant.json`,
    dataPackage: `${url}/datapackage.json`,
  }),
  successorUrl: null,
  linksetUrl: `${url}/linkset.json`,
  files: [{ url: `${SITE}/media/01M7/readings.csv`, format: "csv" }],
};

const manyFiles = (count: number): LinkedWork["files"] =>
  Array.from({ length: count }, (_, at) => ({
    url: `${SITE}/media/01M7WVM8W0T8NYB19BE1ATAT9N/${encodeURIComponent(`gäuge, "${at}" <1>; b`)}.csv`,
    format: "csv",
  }));

describe("a Link header", () => {
  test("says what Signposting asks for, in the words of the contract", () => {
    expect(writeLinkHeader(listWorkLinks(DATASET)).split(", ")).toEqual([
      `<${url}/revisions/3>; rel="cite-as"`,
      '<https://schema.org/AboutPage>; rel="type"',
      '<https://schema.org/Dataset>; rel="type"',
      '<https://example.org/@tidewatch>; rel="author"',
      '<https://creativecommons.org/licenses/by/4.0/>; rel="license"',
      `<${url}/croissant.json>; rel="describedby"; type="application/ld+json"; profile="http://mlcommons.org/croissant/1.1"`,
      `<${url}/datapackage.json>; rel="describedby"; type="application/json"; profile="https://datapackage.org/profiles/2.0/datapackage.json"`,
      `<${url}.md>; rel="alternate"; type="text/markdown"`,
      '<https://example.org/media/01M7/readings.csv>; rel="item"; type="text/csv"',
      `<${url}/linkset.json>; rel="linkset"; type="application/linkset+json"`,
    ]);
  });

  test("is read by another program with every attribute", () => {
    const links = listWorkLinks({ ...DATASET, files: manyFiles(3) });
    const read = LinkHeader.parse(writeLinkHeader(links)).refs.map(({ uri, ...more }) => ({
      href: uri,
      ...more,
    }));
    expect(read).toEqual(links);
  });

  test("stays under 4 KiB, whatever the number of files, and keeps all that is no item", () => {
    const without = listWorkLinks({ ...DATASET, files: [] });
    for (const count of [0, 10, 20, 30, 500]) {
      const links = listWorkLinks({ ...DATASET, files: manyFiles(count) });
      const header = writeLinkHeader(links);
      expect(Buffer.byteLength(header)).toBeLessThan(4_096);
      const { refs } = LinkHeader.parse(header);
      expect(refs.filter(({ rel }) => rel !== "item")).toHaveLength(without.length);
      const items = refs.filter(({ rel }) => rel === "item").map(({ uri }) => uri);
      expect(items).toEqual(manyFiles(items.length).map((file) => file.url));
      if (count >= 30) expect(items.length).toBeGreaterThan(10);
      else if (count <= 10) expect(items).toHaveLength(count);
    }
  });
});

describe("a linkset", () => {
  test("has every link of the page, and the way back from documents and files", () => {
    const work = { ...DATASET, files: manyFiles(500) };
    const { linkset } = writeLinkset(listLinkContexts(work)) as { linkset: Record<string, unknown>[] };
    const [page, croissant, dataPackage, markdown, ...files] = linkset;
    expect(readLinks(page)).toEqual(new Set(listWorkLinks(work).map((link) => JSON.stringify(link))));
    const back = [{ href: url, type: "text/html" }];
    expect([croissant, dataPackage]).toEqual([
      { anchor: `${url}/croissant.json`, describes: back },
      { anchor: `${url}/datapackage.json`, describes: back },
    ]);
    expect(markdown).toEqual({ anchor: `${url}.md`, canonical: back });
    expect(files).toEqual(work.files.map((file) => ({ anchor: file.url, collection: back })));
  });

  test("of a work without a licence and files has no such relation", () => {
    const brief: LinkedWork = { ...DATASET, type: "brief", licenseUrl: null, documents: [], files: [] };
    const { linkset } = writeLinkset(listLinkContexts(brief)) as { linkset: object[] };
    expect(linkset.map(Object.keys)).toEqual([
      ["anchor", "cite-as", "type", "author", "alternate", "linkset"],
      ["anchor", "canonical"],
    ]);
  });
});

/** The links of one context of a linkset as RFC 9264 has them: attributes of extensions are lists. */
function readLinks({ anchor, ...relations }: Record<string, unknown> = {}): Set<string> {
  const links = Object.entries(relations).flatMap(([rel, targets]) =>
    (targets as (Omit<Link, "rel" | "profile"> & { profile?: string[] })[]).map(
      ({ href, type, profile }) => ({
        ...{ rel, href, type },
        ...(profile === undefined ? {} : { profile: profile.join(" ") }),
      }),
    ),
  );
  return new Set(links.map((link) => JSON.stringify(link)));
}
