import { describe, expect, test } from "vitest";
import { connectAuthor, type Json, makeCreation, publish, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";

const TITLE = 'Flut & "Ebbe" {100 %} \\ 高潮 🌊 גאות';

const get = (path: string) => request(service, { method: "GET", url: path });

async function makeDataset(slug: string, members: Json): Promise<Json> {
  const asset = (await agent.upload("readings.csv", `day,height\n2026-11-20,4.1\n${slug},1\n`)).json.data;
  const attachments = [{ asset_id: asset.id, label: "Readings" }];
  return await makeCreation(agent, {
    type: "dataset",
    slug,
    payload: { title: TITLE, attachments, ...members },
  });
}

const makeStory = (slug: string, title: string) =>
  makeCreation(agent, { slug, payload: { title, body_markdown: "It rose." } });

const service = await openService({ limits: { publicJsonPerMinute: 10_000 } });
const agent = await connectAuthor(service, { handle: "tidewatch" });
const dataset = await publish(
  agent,
  await makeDataset("readings", { license: "odbl-1.0", summary: "Two gauges." }),
);
const { id, lock_version: ifMatch } = await publish(agent, await makeStory("water", TITLE));
const body = {
  change_summary: "Corrected.",
  payload: { title: "Water, again", body_markdown: "It fell." },
};
const saved = await agent.send("PATCH", `/creations/${id}`, body, { ifMatch });
await publish(agent, saved.json.data);

const TYPES = [
  ["cite.bib", "application/x-bibtex; charset=utf-8", "tidewatch-readings-r1.bib"],
  ["cite.ris", "application/x-research-info-systems; charset=utf-8", "tidewatch-readings-r1.ris"],
  [
    "cite.csl.json",
    "application/vnd.citationstyles.csl+json; charset=utf-8",
    "tidewatch-readings-r1.csl.json",
  ],
  ["cite.txt", "text/plain; charset=utf-8", null],
  ["citation.cff", "text/yaml; charset=utf-8", "CITATION.cff"],
] as const;

describe.each(TYPES)("%s", (file, type, filename) => {
  test("has its type, and runs nothing", async () => {
    const reply = await get(`/@tidewatch/readings/${file}`);
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({
      "content-type": type,
      "content-security-policy": "default-src 'none'; sandbox",
    });
    const disposition = reply.headers["content-disposition"];
    if (filename === null) expect(disposition).toBeUndefined();
    else expect(disposition).toContain(`attachment; filename="${filename}"`);
  });

  test("names the revision, its day, its checksum and its own address, also under that address", async () => {
    const { checksum } = (await get("/@tidewatch/readings.json")).json.data;
    const { text } = await get(`/@tidewatch/readings/${file}`);
    expect(text).toContain(`${service.deps.config.siteUrl}/@tidewatch/readings/revisions/1`);
    if (file !== "cite.txt") expect(text).toContain(checksum);
    expect((await get(`/@tidewatch/readings/revisions/1/${file}`)).text).toBe(text);
  });

  test.each(["/@tidewatch/nothing", "/@nobody/readings", "/@tidewatch/readings/revisions/2"])(
    "is 404 in JSON under %s",
    async (folder) => {
      const reply = await get(`${folder}/${file}`);
      expect([reply.status, reply.json.code, reply.headers["access-control-allow-origin"]]).toEqual([
        404,
        "not_found",
        "*",
      ]);
    },
  );
});

test("an earlier revision keeps its title, and the work is cited by its current one", async () => {
  expect((await get("/@tidewatch/water/revisions/1/cite.txt")).text).toContain(`${TITLE} (Version 1)`);
  expect((await get("/@tidewatch/water/cite.txt")).text).toContain("Water, again (Version 2)");
});

test("no other type than a dataset has a CITATION.cff", async () => {
  for (const path of ["/@tidewatch/water/citation.cff", "/@tidewatch/water/revisions/1/citation.cff"])
    expect((await get(path)).json.code).toBe("not_found");
});

describe("the licence of a work", () => {
  const ODBL = {
    id: "ODbL-1.0",
    name: "Open Data Commons Open Database License v1.0",
    url: "https://opendatacommons.org/licenses/odbl/1.0/",
  };

  test("is in its JSON, in that of its revision, and in their Link header", async () => {
    for (const path of ["/@tidewatch/readings.json", "/@tidewatch/readings/revisions/1.json"]) {
      const reply = await get(path);
      expect([reply.json.data.license, reply.headers.link]).toEqual([ODBL, `<${ODBL.url}>; rel="license"`]);
    }
    const bare = await get("/@tidewatch/water.json");
    expect([bare.json.data.license, bare.headers.link]).toEqual([null, undefined]);
  });

  test("is on its page and in its Link header", async () => {
    const page = await get("/@tidewatch/readings");
    expect(page.headers.link).toContain(`<${ODBL.url}>; rel="license"`);
    expect(page.text).toContain(`<a href="${ODBL.url}" rel="license">${ODBL.name}</a>`);
    expect(page.text).toContain(`"license":"${ODBL.url}"`);
    expect(page.text).toContain("/@tidewatch/readings/citation.cff");
  });

  test("is in the feed, and in no entry without one", async () => {
    const { text } = await get("/@tidewatch/feed.xml");
    expect([...text.matchAll(/<rights[^>]*>([^<]*)</g)].map(([, rights]) => rights)).toEqual([
      `${ODBL.name}, ${ODBL.url}`,
    ]);
  });

  test("narrows a search, in any case", async () => {
    for (const license of ["odbl-1.0", "ODbL-1.0"]) {
      const found = await get(`/api/v1/search/creations?license=${license}`);
      expect(found.json.data.map(({ id }: Json) => id)).toEqual([dataset.id]);
    }
    expect((await get("/api/v1/search/creations?license=mit")).json.data).toEqual([]);
    const refused = await get("/api/v1/search/creations?license=CC-BY");
    expect([refused.status, refused.json.errors]).toEqual([
      422,
      { license: ["The license CC-BY is no SPDX identifier; CC-BY-4.0 is."] },
    ]);
  });
});
