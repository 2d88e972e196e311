import { expect, test } from "vitest";
import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { switchTopic } from "../../../../shared/reading/search/topics.ts";
import { removeContent, runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { publish, publishFrontPage } from "../../../support/agent.ts";
import { runSql } from "../../../support/tables.ts";
import {
  openArtworkSite,
  publishStory as publishBy,
  readArt as readArtFrom,
  read as readFrom,
} from "./artwork-site.ts";

const { service, agent } = await openArtworkSite();

const read = (url: string) => readFrom(service, url);
const readArt = (url: string) => readArtFrom(service, url);
const publishStory = (title: string) => publishBy(agent, title);

const cardPath = async (url: string) =>
  new URL(/<meta property="og:image" content="([^"]+)"/.exec((await read(url)).body)?.[1] ?? "").pathname;
const statusOf = async (url: string) => (await read(url)).statusCode;

test("the site's own pages have a card each, the same at every look, which nothing replaces", async () => {
  const pages = ["/", "/search", "/docs", "/docs/charts", "/topics/climate"];
  const cards = await Promise.all(pages.map(cardPath));
  expect(new Set(cards).size).toBe(pages.length);
  for (const card of cards) expect(await statusOf(card)).toBe(200);
  expect(await cardPath("/search?query=tide&page=2")).toBe(cards[1]);
  expect(await Promise.all(pages.map(cardPath))).toEqual(cards);
  expect(
    await runSql(service, "SELECT place FROM artworks WHERE agent_id IS NULL AND replaced_at IS NOT NULL"),
  ).toEqual([]);
});

test("the card of a topic is shut with the topic", async () => {
  const card = await cardPath("/topics/energy");
  await switchTopic(service.deps, COMMAND_LINE, "energy", false);
  expect([await statusOf("/topics/energy"), await statusOf(card)]).toEqual([404, 404]);
  await switchTopic(service.deps, COMMAND_LINE, "energy", true);
  expect(await statusOf(card)).toBe(200);
});

test("a section's card tells its name, and is shut with the section and with the front page", async () => {
  const north = { slug: "north", name: "The north" };
  await publishFrontPage(agent, { sections: [north, { slug: "south", name: "The north" }] });
  const [card, other] = [
    await cardPath("/@tidewatch/section/north"),
    await cardPath("/@tidewatch/section/south"),
  ];
  expect(new Set([card, other, await cardPath("/@tidewatch")]).size).toBe(3);
  await publishFrontPage(agent, { sections: [{ ...north, name: "Far north" }] });
  const renamed = await cardPath("/@tidewatch/section/north");
  expect(renamed).not.toBe(card);
  expect([await statusOf(renamed), await statusOf(other)]).toEqual([200, 404]);
  await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "hide");
  expect(await statusOf(renamed)).toBe(404);
  await runAgentCommand(service.deps, COMMAND_LINE, agent.id, "unhide");
});

test("an owner's card is the same for all: an alias may be hidden again", async () => {
  await runSql(service, "UPDATE owners SET alias = 'Harbour Desk', show_alias = true WHERE id = $1", [
    agent.ownerId,
  ]);
  const card = await cardPath("/owners/harbour%20desk");
  expect(
    await runSql(service, "SELECT 1 FROM artworks WHERE hash = $1 AND recipe::text ILIKE '%harbour%'", [
      card.slice(5, 69),
    ]),
  ).toEqual([]);
  await runSql(service, "UPDATE owners SET show_alias = false WHERE id = $1", [agent.ownerId]);
});

test("the pages of a work's revisions have the work's card", async () => {
  const story = await publishStory("Of one card");
  const card = await cardPath(`/@tidewatch/${story.slug}`);
  for (const page of ["revisions", "revisions/1"]) {
    expect(await cardPath(`/@tidewatch/${story.slug}/${page}`)).toBe(card);
  }
});

test("the card of what is hidden or taken off the site cannot be opened any more", async () => {
  const story = await publishStory("Now you see it");
  const { cover, card } = await readArt(`/@tidewatch/${story.slug}`);
  const statuses = async () => [(await read(cover ?? "")).statusCode, (await read(card)).statusCode];
  expect(await statuses()).toEqual([200, 200]);
  await runCreationCommand(service.deps, COMMAND_LINE, story.id, "hide");
  expect(await statuses()).toEqual([404, 404]);
  await runCreationCommand(service.deps, COMMAND_LINE, story.id, "unhide");
  expect(await statuses()).toEqual([200, 200]);
  await runCreationCommand(service.deps, COMMAND_LINE, story.id, "unpublish");
  expect(await statuses()).toEqual([404, 404]);
  expect(await runSql(service, "SELECT 1 FROM artworks WHERE creation_id = $1", [story.id])).toEqual([]);
});

test("removing a revision's content removes the card that tells its title", async () => {
  const story = await publishStory("A title to remove");
  const { card } = await readArt(`/@tidewatch/${story.slug}`);
  const later = await agent.send(
    "PATCH",
    `/creations/${story.id}`,
    { payload: { title: "A better title", body_markdown: "Water." }, change_summary: "New title." },
    { ifMatch: story.lock_version },
  );
  await publish(agent, later.json.data);
  expect((await read(card)).statusCode).toBe(200);
  await removeContent(service.deps, COMMAND_LINE, story.latest_revision.id, "owner");
  expect((await read(card)).statusCode).toBe(404);
  const anew = (await readArt(`/@tidewatch/${story.slug}`)).card;
  expect(anew).not.toBe(card);
  expect((await read(anew)).statusCode).toBe(200);
});
