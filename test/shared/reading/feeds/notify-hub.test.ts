import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { parseAtomFeed } from "feedsmith";
import { beforeEach, expect, test } from "vitest";
import { JsonFeed } from "../../../../api/openapi/schemas.ts";
import { jsonFeedOf } from "../../../../shared/ground/addresses.ts";
import { notifyHub } from "../../../../shared/reading/feeds/notify-hub.ts";
import { connectAuthor, type Json, makeCreation, request } from "../../../support/agent.ts";
import { allow } from "../../../support/allow.ts";
import { closeAfterwards } from "../../../support/close-afterwards.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { act, revise } from "../../../support/work-acts.ts";

const SITE = "http://localhost:3000";

/** A hub that notes what it is told, and answers as a test says. */
const told: { type: string | undefined; form: string[][] }[] = [];
let status = 204;
const hub = createServer(async (incoming, reply) => {
  const parts: Buffer[] = [];
  for await (const part of incoming) parts.push(part);
  const form = [...new URLSearchParams(Buffer.concat(parts).toString())];
  told.push({ type: incoming.headers["content-type"], form });
  reply.writeHead(status).end();
});
await new Promise<void>((resolve) => hub.listen(0, "127.0.0.1", resolve));
const host = `127.0.0.1:${(hub.address() as AddressInfo).port}`;
closeAfterwards(async () => void hub.close());

const websubHub = `http://${host}/hub`;
const service = await openService({
  workers: false,
  config: { websubHub, outboundAllow: allow(`hub=${host}`) },
});
const SECTIONS = [{ slug: "north", name: "The north" }];
const agent = await connectAuthor(service, { handle: "tide", sections: SECTIONS });
const payload = { title: "Levels", body_markdown: "The gauge rose." };
const publishWork = (slug: string, more: Json = {}): Promise<Json> =>
  makeCreation(agent, { slug, section: "north", payload, publish: {}, ...more });

const waiting = async () =>
  await runSql(service, "SELECT subject FROM pending_work WHERE kind = 'notify-hub'");
const feedsOf = (slug: string) =>
  ["/feed.xml", "/@tide/feed.xml", "/@tide/section/north/feed.xml", `/@tide/${slug}/changes.xml`].flatMap(
    (path) => [SITE + path, jsonFeedOf(SITE + path)],
  );

beforeEach(async () => {
  await runSql(service, "DELETE FROM pending_work WHERE kind = 'notify-hub'");
  told.length = 0;
  status = 204;
});

test("a publication is told once, with each feed that shows the work", async () => {
  const { id } = await publishWork("levels");
  expect(await waiting()).toEqual([{ subject: id }]);
  for (let run = 0; run < 2; run += 1) await notifyHub(service.deps, id);
  const form = [["hub.mode", "publish"], ...feedsOf("levels").map((url) => ["hub.url", url])];
  expect(told).toEqual([{ type: "application/x-www-form-urlencoded", form }]);
});

test("an update, a retraction and a reinstatement are told, a minor fix and a removal are not", async () => {
  const work = await publishWork("flows");
  await notifyHub(service.deps, work.id);
  const count = async () => (await waiting()).length;
  await revise(agent, work, { section: "north", payload, change_summary: "A word.", minor: true });
  expect(await count()).toBe(0);
  await revise(agent, work, { section: "north", payload, change_summary: "A day more." });
  expect(await count()).toBe(1);
  await notifyHub(service.deps, work.id);
  await act(agent, work, "retract", { reason: "Wrong gauge." });
  await notifyHub(service.deps, work.id);
  await act(agent, work, "reinstate", { reason: "Right gauge." });
  await notifyHub(service.deps, work.id);
  expect(told).toHaveLength(4);
  await act(agent, work, "unpublish", {});
  expect(await count()).toBe(0);
});

test("of an unlisted work the feed of its changes alone is told", async () => {
  const { id } = await publishWork("quiet", { publish: { visibility: "unlisted" } });
  await notifyHub(service.deps, id);
  const urls = told.flatMap(({ form }) => form.filter(([name]) => name === "hub.url"));
  expect(urls.map(([, url]) => url)).toEqual(feedsOf("quiet").slice(-2));
});

test("a hub that fails is tried three times, then let be", async () => {
  status = 503;
  const { id } = await publishWork("broken");
  for (let run = 0; run < 2; run += 1)
    await expect(notifyHub(service.deps, id)).rejects.toThrow("the hub answered 503");
  await notifyHub(service.deps, id);
  await notifyHub(service.deps, id);
  expect([told.length, await waiting()]).toEqual([3, []]);
});

test("each feed names the hub and itself, in its text and in its Link header", async () => {
  await publishWork("named");
  for (const url of feedsOf("named")) {
    const { text, headers } = await request(service, { method: "GET", url: url.replace(SITE, "") });
    expect(headers.link).toBe(`<${websubHub}>; rel="hub", <${url}>; rel="self"`);
    if (url.endsWith(".json")) {
      const feed = JsonFeed.parse(JSON.parse(text));
      expect([feed.hubs, feed.feed_url]).toEqual([[{ type: "WebSub", url: websubHub }], url]);
    } else {
      const links = parseAtomFeed(text).links?.map(({ rel, href }) => [rel, href]);
      expect(links).toEqual(
        expect.arrayContaining([
          ["self", url],
          ["hub", websubHub],
        ]),
      );
    }
  }
});

test("without a hub nothing is ordered, and no feed names one", async () => {
  const { config } = service.deps;
  Object.assign(config, { websubHub: undefined });
  await publishWork("alone");
  expect(await waiting()).toEqual([]);
  const { headers, text } = await request(service, { method: "GET", url: "/@tide/alone/changes.xml" });
  expect([headers.link, text.includes('rel="hub"')]).toEqual([undefined, false]);
  Object.assign(config, { websubHub });
});
