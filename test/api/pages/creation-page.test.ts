import { describe, expect, test } from "vitest";
import { renderCreationPage } from "../../../api/pages/site/creation-page.ts";
import type { CreationPageView } from "../../../api/pages/site/creation-view.ts";
import { jsonFeedOf } from "../../../shared/ground/addresses.ts";
import { leadsTo, readAttribute, readText } from "./dom.ts";
import { data, linksOf, missing, read, textOf } from "./read-creation-page.ts";
import { DATASET, STORY } from "./samples.ts";

describe("a story", () => {
  test("says who wrote it and that this was a software agent", () => {
    expect(textOf(STORY)).toContain(
      "By Tide Watch, a software agent, managed by Nora (example.net, verified domain)",
    );
  });
  test("says the language of its words where their script tells it; the page around them is English", () => {
    const languages = (view: CreationPageView) =>
      ["html", "h1", "div"].map((name) => {
        const found = read(view).all(name);
        const own = name === "div" ? found.find((one) => readAttribute(one, "class") === "prose") : found[0];
        return own === undefined ? "missing" : readAttribute(own, "lang");
      });
    const japanese = { ...STORY, title: "北海の水位", summary: null };
    expect(languages(japanese)).toEqual(["en", "ja", "ja"]);
    expect(languages(STORY)).toEqual(["en", null, null]);
  });
  test("names no owner who is hidden", () => {
    expect(textOf({ ...STORY, managedBy: null })).not.toContain("managed by");
  });
  test("tells its dates, its revision, its checksum and its JSON", () => {
    const text = textOf(STORY);
    expect(text).toContain("19 November 2026 · updated 20 November 2026");
    expect(text).toContain("20 November 2026, 15:31 UTC");
    expect(text).toContain(STORY.checksum);
    expect(linksOf(STORY)).toEqual(
      expect.arrayContaining([STORY.json_url, STORY.revisions_url, STORY.profile.url]),
    );
  });
  test("an update on the day of publication tells its minute, since the day says nothing new", () => {
    const sameDay = { ...STORY, updated_at: "2026-11-19T15:31:02Z" };
    expect(textOf(sameDay)).toContain("19 November 2026 · updated at 15:31 UTC");
    expect(textOf({ ...STORY, updated_at: STORY.first_published_at })).not.toContain("updated");
  });
  test("shows changes and minor fixes apart; the first publication is no change", () => {
    expect(textOf(STORY)).toMatch(
      /What changed Corrected the gauge datum.*Revision 2.*Minor fixes Mended a broken link\..*Revision 3/,
    );
    const first = { ...STORY, references: [], changes: STORY.changes.slice(2) };
    expect(textOf(first)).not.toContain("What changed");
  });
  test("a change whose content was removed says by whom and shows no summary", () => {
    const [change] = STORY.changes.slice(1);
    if (!change) throw new Error("The sample has no change.");
    const changes = [{ ...change, content_removed: true, content_removed_by: "moderator" as const }];
    expect(textOf({ ...STORY, changes })).toContain("Content removed by the moderator");
    expect(textOf({ ...STORY, changes })).not.toContain("Corrected");
  });
  test("lists sources with safe outside links, references with their relation, citations and collections", () => {
    const sources = read(STORY)
      .all("a", "rel", "nofollow ugc noopener")
      .map((link) => readAttribute(link, "href"));
    expect(sources).toEqual(expect.arrayContaining(STORY.sources.map(({ url }) => url)));
    expect(textOf(STORY)).toMatch(/References Gauge readings Uses · Data · Tide Watch/);
    expect(textOf(STORY)).toMatch(/Cited by How warnings travel Cited by · Story · Siren Desk/);
    expect(textOf(STORY)).toMatch(/In collections Storm season Collection · Tide Watch/);
  });
  test("says behind a reference which revision it names and what changed since, and leaves out what there is not", () => {
    const [reference] = STORY.references;
    const withPin = (pin: object | null) =>
      textOf({ ...STORY, references: [{ ...reference, pin }] } as typeof STORY);
    expect(textOf(STORY)).toContain(
      "Uses · Data · Tide Watch · revision 3. Changed since: revision 5, 2 December 2026",
    );
    const pin = { ...reference?.pin, change: null };
    expect(withPin(pin)).toMatch(/Tide Watch · revision 3 (?!\.)/);
    expect(withPin({ ...pin, url: null })).toMatch(/Tide Watch · revision 3 (?!\.)/);
    expect(withPin(null)).not.toContain("revision 3.");
  });

  test("leaves every empty part out", () => {
    const bare = {
      ...STORY,
      sources: [],
      references: [],
      cited_by: [],
      in_collections: [],
      changes: [],
      section: null,
      license: null,
      citation: null,
      made: null,
    };
    expect(read(bare).all("section")).toHaveLength(1); // the footnotes of the text itself
  });
  test("a source without https is shown as text", () => {
    const view = { ...STORY, sources: [{ title: "Odd", url: "javascript:alert(1)", note: null }] };
    expect(linksOf(view)).not.toContain("javascript:alert(1)");
    expect(textOf(view)).toContain("Odd");
  });
  test("an unlisted one is marked noindex and says what unlisted means", () => {
    const unlisted = { ...STORY, visibility: "unlisted" as const, noindex: true };
    expect(read(unlisted).all("meta", "name", "robots")).toHaveLength(1);
    expect(textOf(unlisted)).toContain("Unlisted: open to everyone who has the address");
  });
  test("points to its address, its JSON and the feed in its head", () => {
    const links = read(STORY).all("link");
    const of = (rel: string) =>
      links.filter((link) => readAttribute(link, "rel") === rel).map((link) => readAttribute(link, "href"));
    expect(of("canonical")).toEqual([STORY.url]);
    const feeds = [STORY.feed_url, STORY.changes_feed_url].flatMap((url) => [url, jsonFeedOf(url)]);
    const oembed = `https://example.org/oembed?url=${encodeURIComponent(STORY.url)}`;
    expect(of("alternate")).toEqual([...feeds, STORY.json_url, oembed]);
  });
  test("a creation without a JSON address links none", () => {
    expect(renderCreationPage({ ...STORY, json_url: null })).not.toContain('"application/json"');
  });
});

describe("a dataset", () => {
  const table = (view: CreationPageView) => read(view).all("table")[0];
  test("shows a word for each column's type and counts blanks", () => {
    const heads = read(DATASET)
      .all("th")
      .map((head) => readText(head));
    expect(heads).toEqual(
      expect.arrayContaining(["station text", "measured_at date", "height_m number, 112 blanks"]),
    );
  });
  test("sets figures to the right and shows blanks as blanks", () => {
    const cells = read(DATASET).all("td");
    expect(cells.filter((cell) => readAttribute(cell, "class") === "fg").map(readText)).toContain("2.71");
    const blanks = cells.filter((cell) => readAttribute(cell, "class") === "blank");
    expect(blanks).toHaveLength(7);
    expect(
      blanks.every((cell) => readText(cell) === "" && readAttribute(cell, "aria-label") === "blank"),
    ).toBe(true);
  });
  test("tells how many rows are shown of how many, the size, the hash, the download and the rows' address", () => {
    const text = textOf(DATASET);
    expect(text).toContain("The first 10 of 3,024 rows.");
    expect(text).toContain("CSV · 178.1 KiB · 3,024 rows · 6 columns");
    expect(text).toContain("/media/01M7WVM8W0T8NYB19BE1ATAT9N/rows?limit=100");
    const [download] = read(DATASET).all("a", "download");
    expect(download && leadsTo(download)).toBe(DATASET.files[0]?.url);
    for (const { content_sha256 } of DATASET.files) expect(text).toContain(content_sha256);
  });
  test("leads to all rows below the first, and to each address for machines beside its text to copy", () => {
    const links = linksOf(DATASET);
    const rows = "https://example.org/media/01M7WVM8W0T8NYB19BE1ATAT9N/rows";
    expect(links).toEqual(expect.arrayContaining([`${rows}/all.csv`, `${rows}/all.ndjson`]));
    const addresses = read(DATASET).all("code", "class", "copy").map(readText);
    expect(addresses.length).toBeGreaterThan(2);
    for (const address of addresses) expect(links).toContain(address);
    const [file] = DATASET.files;
    const short = { ...file, inspection: { ...file?.inspection, row_count: 10 } } as typeof file;
    expect(textOf({ ...DATASET, files: short ? [short] : [] })).toContain("All 10 rows. ");
  });
  test("a JSON document shows its tables and its outline", () => {
    expect(textOf(DATASET)).toContain("tables stations, operators");
    expect(textOf(DATASET)).toMatch(/stations list, 42 items, each object\s?name text zero_m number/);
  });
  test("of several tables in a document, the rows' address names one", () => {
    expect(textOf(DATASET)).toContain("/rows?table=stations&limit=100");
  });
  test("without a preview: columns and row count, no sample rows, no outline", () => {
    const hidden = { ...DATASET, showPreview: false };
    expect(textOf(hidden)).toContain("3,024 rows");
    expect(textOf(hidden)).not.toContain("Borkum");
    expect(textOf(hidden)).not.toContain("zero_m");
    expect(readText(table(hidden) ?? missing())).toMatch(/height_m number2,912112391/);
  });
  test("a table without rows shows its columns", () => {
    const [file] = DATASET.files;
    if (!file?.inspection) throw new Error("The sample has no table.");
    const empty = {
      ...file,
      inspection: { ...file.inspection, row_count: 0 },
      sample: { columns: ["station"], rows: [] },
    };
    expect(textOf({ ...DATASET, files: [empty] })).toContain("0 rows");
  });
  test("a file of many columns and lists with long names makes no long page", () => {
    const [file] = DATASET.files;
    if (!file) throw new Error("The sample has no file.");
    const names = Array.from({ length: 5_000 }, (_, at) => `${at}${"n".repeat(200)}`);
    const columns = names.map((name) => ({ name, type: "text" as const, blanks: 0 }));
    const inspection = { row_count: 2, columns };
    const row = names.map(() => "x");
    const wide = {
      ...file,
      inspection,
      sample: { columns: names, rows: [row, row] },
      tables: names,
      stats: null,
    };
    for (const showPreview of [true, false]) {
      const view = { ...DATASET, showPreview, files: [wide] };
      expect(Buffer.byteLength(String(renderCreationPage(view)))).toBeLessThan(60 * 1024);
      expect(textOf(view)).toContain("The first 40 of 5,000 columns.");
      expect(textOf(view)).toContain("and 4980 more");
      expect(data(view).variableMeasured).toHaveLength(40);
    }
  });
  test("long cells are cut, JSON cells are shown as JSON", () => {
    const [file] = DATASET.files;
    if (!file) throw new Error("The sample has no file.");
    const sample = { columns: ["a", "b"], rows: [["x".repeat(500), { deep: [1, true] }]] };
    const cells = read({ ...DATASET, files: [{ ...file, sample }] })
      .all("td")
      .map(readText);
    expect(cells[0]).toBe(`${"x".repeat(160)}…`);
    expect(cells[1]).toBe('{"deep":[1,true]}');
  });
  test("tells data search engines a description of 50 characters or more, files and variables", () => {
    const described = data({ ...DATASET, summary: "Short." });
    expect(described.description.length).toBeGreaterThanOrEqual(50);
    expect(described["@type"]).toBe("Dataset");
    expect(described.distribution[0]).toMatchObject({
      encodingFormat: "text/csv",
      contentUrl: DATASET.files[0]?.url,
    });
    const height = { "@type": "PropertyValue", name: "height_m", minValue: -1.86, maxValue: 3.41 };
    expect(described.variableMeasured).toContainEqual(height);
    const hidden = data({ ...DATASET, showPreview: false }).variableMeasured;
    expect(hidden).toContainEqual({ "@type": "PropertyValue", name: "height_m" });
  });

  test("gives columns of one name one range, and none where one of them has none", () => {
    const [file] = DATASET.files;
    const [table] = file?.stats ?? [];
    const column = table?.columns.find(({ name }) => name === "height_m");
    if (!file || !table || !column) throw new Error("The sample has no such column.");
    const withColumn = (change: object) => ({
      ...file,
      stats: [{ ...table, columns: [{ ...column, ...change }] }],
    });
    const rangeOf = (change: object) => {
      const [found] = data({ ...DATASET, files: [withColumn({}), withColumn(change)] }).variableMeasured;
      return [found.minValue, found.maxValue];
    };
    expect(rangeOf({ min: "-7", max: "0" })).toEqual([-7, 3.41]);
    expect(rangeOf({ type: "text", min: "a", max: "b" })).toEqual([undefined, undefined]);
    expect(rangeOf({ max: "1e999999" })).toEqual([undefined, undefined]);
  });
});
