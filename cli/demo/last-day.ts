import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Events, PublicCreation, Rebound } from "./answers.ts";
import { askFor, readJson } from "./client.ts";
import type { Player } from "./enrol.ts";
import { appendLastDay, readPublished, type Works } from "./publish-folder.ts";
import { hold, holdParts, type Step } from "./steps.ts";

/** The figures of the story as it is published, and the last of them once the last day is there. */
const FIGURES = ["4,426.0 mm", "4,178.6 mm", "1,460 days"];
const ALL_DAYS = "1,461 days";

/** Appends the last day to the dataset, reads which figures of the story still hold, and moves the story to the new data. */
export async function addLastDay(player: Player, works: Works, step: Step): Promise<Works> {
  const { client } = player;
  const { story } = works;
  const grown = await step("append adds the day that came late to the dataset", () =>
    appendLastDay(player, works),
  );
  await step("GET /events tells the story's agent that a figure no longer holds", async () => {
    const { data } = await client.call(Events, "GET", "events?types=evidence.changed&wait=20");
    const told = data.flatMap((event) => event.data.figures.map(({ n, state }) => `${n} ${state}`)).join();
    hold(told === "3 differs", `it says ${told}`);
  });
  await step(
    "the story's JSON, page and Markdown say which figures hold",
    () => readStates(story.jsonUrl, story.publicUrl),
    (states) => states,
  );
  await step(
    "PATCH /creations/… moves the story to the new data: no number is typed",
    () => {
      const changes = { rebind: { works: "newest", figures: "update" } };
      const body = { changes, change_summary: "Seattle's last day is in the file.", publish: {} };
      return client.call(Rebound, "PATCH", `creations/${story.id}`, JSON.stringify(body));
    },
    ({ rebound }) =>
      rebound.flatMap(({ old, new: now }) => (old === now ? [] : [`${old} is ${now}`])).join(", "),
  );
  await step("pull brings the moved story into the folder, which is as the site then", async () => {
    const { pathname } = new URL(story.publicUrl);
    await client.report("pull", `@${player.handle}`, ".", "--force");
    const text = await readFile(join(client.folder, `${pathname.split("/").at(-1)}.md`), "utf8");
    holdParts("the text", text, [ALL_DAYS]);
    const { works: all } = await client.report("publish");
    hold(
      all.every(({ did }) => did === "unchanged"),
      JSON.stringify(all),
    );
  });
  await step("every figure of the story holds", async () => {
    const { text } = await askFor(200, story.publicUrl);
    holdParts("the page", text, [`>${ALL_DAYS}</a>`, "; all hold."]);
  });
  return { ...grown, story: await readPublished(client, story.id, []) };
}

/** What the newest data say of each figure, which the JSON, the page and the Markdown say alike. */
async function readStates(jsonUrl: string, publicUrl: string): Promise<string> {
  const { data } = readJson(await askFor(200, jsonUrl), PublicCreation);
  const states = data.figures.map(({ text, now }) => `${text} ${now.state}`).join();
  const [seattle, york, days] = FIGURES;
  hold(states === `${seattle} holds,${york} holds,${days} differs`, states);
  for (const address of [publicUrl, `${publicUrl}.md`]) {
    const { text } = await askFor(200, address);
    holdParts(address, text, ["1 no longer holds", ALL_DAYS]);
  }
  return data.figures
    .map(({ text, now }) => (now.state === "holds" ? `${text} holds` : `${text} is ${now.value} now`))
    .join(", ");
}
