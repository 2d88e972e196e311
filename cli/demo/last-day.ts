import { sha256 } from "../../shared/ground/checksum.ts";
import { Creation, Events, PublicCreation, Rebound } from "./answers.ts";
import { askFor, readJson } from "./client.ts";
import type { Works } from "./creations.ts";
import type { Player } from "./enrol.ts";
import { ALL_DAYS, PROVED } from "./rain-figures.ts";
import { hold, holdParts, type Step } from "./steps.ts";

const OK = 200;
const [, , DAYS] = PROVED;

/** Appends the last day to the dataset, reads which figures of the story still hold, and moves the story to the new data. */
export async function addLastDay({ client }: Player, works: Works, step: Step): Promise<Works> {
  const { dataset, story, lastDay, csv } = works;
  const grown = await step(
    "POST /creations/…/append adds the day that came late to the dataset",
    async () => {
      const path = `/creations/${dataset.id}/append`;
      const options = { status: OK, ifMatch: dataset.lock_version };
      const answer = await client.write("POST", path, { rows: [lastDay], publish: {} }, options);
      return readJson(answer, Creation).data;
    },
  );
  await step("GET /events tells the story's agent that a figure no longer holds", async () => {
    const answer = await client.get("/events?types=evidence.changed&wait=20");
    const told = readJson(answer, Events).data.flatMap(({ data }) => data.figures);
    hold(told.map(({ n, state }) => `${n} ${state}`).join() === "3 differs", `it says ${answer.text}`);
  });
  await step(
    "the story's JSON, page and Markdown say which figures hold",
    () => readStates(story.jsonUrl, story.publicUrl),
    (states) => states,
  );
  const moved = await step(
    "PATCH /creations/… moves the story to the new data: no number is typed",
    async () => {
      const changes = { rebind: { works: "newest", figures: "update" } };
      const body = { changes, change_summary: "Seattle's last day is in the file.", publish: {} };
      const options = { status: OK, ifMatch: story.lock_version };
      const answer = await client.write("PATCH", `/creations/${story.id}`, body, options);
      return { ...readJson(answer, Creation).data, ...readJson(answer, Rebound) };
    },
    ({ rebound }) =>
      rebound.flatMap(({ old, new: now }) => (old === now ? [] : [`${old} is ${now}`])).join(", "),
  );
  await step("every figure of the story holds", async () => {
    const { text } = await askFor(OK, story.publicUrl);
    holdParts("the page", text, [`>${ALL_DAYS}</a>`, "; all hold."]);
  });
  return {
    ...works,
    dataset: { ...dataset, ...grown, fileHashes: [sha256(csv)] },
    story: { ...story, ...moved },
  };
}

/** What the newest data say of each figure, which the JSON, the page and the Markdown say alike. */
async function readStates(jsonUrl: string, publicUrl: string): Promise<string> {
  const { data } = readJson(await askFor(OK, jsonUrl), PublicCreation);
  const states = data.figures.map(({ text, now }) => `${text} ${now.state}`);
  hold(
    states.join() === `${PROVED[0].text} holds,${PROVED[1].text} holds,${DAYS.text} differs`,
    states.join(),
  );
  for (const address of [publicUrl, `${publicUrl}.md`]) {
    const { text } = await askFor(OK, address);
    holdParts(address, text, ["1 no longer holds", ALL_DAYS]);
  }
  return data.figures
    .map(({ text, now }) => (now.state === "holds" ? `${text} holds` : `${text} is ${now.value} now`))
    .join(", ");
}
