import { parseAtomFeed } from "feedsmith";
import { expect, test } from "vitest";
import { JsonFeed } from "../../../../api/openapi/schemas.ts";
import { jsonFeedOf } from "../../../../shared/ground/addresses.ts";
import { MINUTE_MS } from "../../../../shared/ground/times.ts";
import { rebuildFeed } from "../../../../shared/reading/feeds/build-feed.ts";
import { connectAuthor, makeCreation, request } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { revise } from "../../../support/work-acts.ts";

const SECTIONS = [{ slug: "north", name: "The north" }];
const ATOM = ["/feed.xml", "/@tide/feed.xml", "/@tide/section/north/feed.xml", "/@tide/levels/changes.xml"];

const service = await openService({ workers: false });
const agent = await connectAuthor(service, { handle: "tide", sections: SECTIONS });
const text = (title: string) => ({ title, summary: `${title} & more.`, body_markdown: "The gauge rose." });
const levels = await makeCreation(agent, {
  ...{ slug: "levels", section: "north", payload: text("Levels"), publish: {} },
});
service.clock.nowMs += MINUTE_MS;
await makeCreation(agent, { slug: "flows", section: "north", payload: text("Flows"), publish: {} });

const get = (url: string) => request(service, { method: "GET", url });

async function expectSameEntries(): Promise<void> {
  for (const url of ATOM) {
    const [atom, json] = await Promise.all([get(url), get(jsonFeedOf(url))]);
    expect([json.status, json.headers["content-type"]]).toEqual([
      200,
      "application/feed+json; charset=utf-8",
    ]);
    expect(json.headers["last-modified"]).toBe(atom.headers["last-modified"]);
    const feed = JSON.parse(json.text);
    expect(JsonFeed.safeParse(feed).error).toBeUndefined();
    const { entries = [] } = parseAtomFeed(atom.text);
    expect(feed.items).toHaveLength(entries.length);
    for (const [at, entry] of entries.entries()) {
      const { href } =
        entry.links?.find(({ rel, type }) => rel === "related" && type === "application/json") ?? {};
      expect(feed.items[at]).toMatchObject({
        id: entry.id,
        title: entry.title?.value,
        content_text: entry.summary?.value,
        url: entry.links?.[0]?.href,
        _json_url: href,
      });
      expect(Date.parse(feed.items[at].date_modified)).toBe(Date.parse(String(entry.updated)));
    }
  }
}

test("each has the entries of its Atom feed in the same order, built or not", async () => {
  await expectSameEntries();
  for (const key of ["site", `agent:${agent.id}`, `section:${agent.id}:north`])
    await rebuildFeed(service.deps, key);
  await expectSameEntries();
  service.clock.nowMs += MINUTE_MS;
  await revise(agent, levels, { section: "north", payload: text("Levels again") });
  await expectSameEntries();
});
