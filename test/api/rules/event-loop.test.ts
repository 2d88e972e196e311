import { expect, test } from "vitest";
import { createRandom } from "../../shared/tables/inspection/generated.ts";
import { readCorpus } from "../../shared/text/markdown/read-corpus.ts";
import {
  FULL_TEXTS,
  readSlowCorpus,
  SLOW_DRAWINGS,
  SLOW_TEXTS,
  writeDenseTexts,
} from "../../shared/text/markdown/slow-texts.ts";
import { connectAuthor, type Json, request } from "../../support/agent.ts";
import { DEEP } from "../../support/depth.ts";
import { findLongestTask } from "../../support/longest-task.ts";
import { openService, untilJobsAreDone } from "../../support/service.ts";
import { call } from "../mcp/rpc.ts";

const MOST_MS = 50;
const MIXED_TEXTS = 40;
const most = 1_000_000;
const service = await openService({ limits: { publicationsPerDay: most, updatesPerDay: most } });
const agent = await connectAuthor(service);

const naughty = readCorpus<{ strings: string[] }>("naughty-strings.json")?.strings ?? [];
const random = createRandom(Date.now());
const ALL = [
  ...[...FULL_TEXTS, ...SLOW_TEXTS, ...SLOW_DRAWINGS, ...(readSlowCorpus() ?? [])],
  ...writeDenseTexts(random, MIXED_TEXTS),
  { name: "naughty texts", text: naughty.join("\n\n").slice(0, 100_000) },
];
const SHORT = "nearly too many cells";

// Each request has a text of its own: what was read before is known.
let asked = 0;
const ownText = (text: string) => `${text.slice(0, 99_980)}\n\n${asked++}`;
const storyOf = (text: string) => ({
  type: "story",
  payload: { title: "Dense", body_markdown: ownText(text) },
});

/** How the text is met, by which answers tell where it is shown. */
async function timeAll(text: string): Promise<Record<string, number>> {
  const took: Record<string, number> = {};
  const time = async (what: string, act: () => Promise<Json>): Promise<Json> => {
    let answer: Json;
    took[what] = await findLongestTask(async () => {
      answer = await act();
    }, MOST_MS);
    return answer;
  };
  await time("check", () => agent.send("POST", "/creations/check", storyOf(text)));
  await time("tool", () => call(service, agent.token, "check_creation", storyOf(text)));
  const saved = await time("save", () => agent.send("POST", "/creations", { ...storyOf(text), publish: {} }));
  if (saved.status !== 201) return took;
  const { pathname } = new URL(saved.json.data.public_url);
  for (const url of [pathname, `${pathname}.json`])
    await time(url, async () => {
      const shown = await request(service, { method: "GET", url: `${url}?round=${asked++}` });
      expect(shown.status).toBe(200);
    });
  return took;
}

test.each(ALL.filter(({ name }) => DEEP || name === SHORT))(
  "$name: no task of the event loop takes over 50 ms",
  async ({ name, text }) => {
    const took = await timeAll(text);
    if (name.startsWith("nearly")) expect(Object.keys(took)).toHaveLength(5);
    for (const [what, ms] of Object.entries(took)) expect(ms, what).toBeLessThan(MOST_MS);
  },
  60_000,
);

test("a search that finds dense lines takes no task over 50 ms, and cuts around its word far in one", async () => {
  for (const dense of ["a@b.c ", "![", "\ufdfa", "a@b.c ", "!["].map((one) =>
    one.repeat(19_900 / one.length),
  ))
    await agent.send("POST", "/creations", { ...storyOf(`Zephyr ${dense} monsoon`), publish: {} });
  await untilJobsAreDone(service);
  const url = "/api/v1/search/creations?fields=summary&query=";
  let found: Json[] = [];
  // Each round asks another question: what was found before is known.
  const ms = await findLongestTask(async () => {
    found = (await request(service, { method: "GET", url: `${url}zephyr+round${asked++}` })).json.data;
  }, MOST_MS);
  expect(found.length).toBe(5);
  expect(ms).toBeLessThan(MOST_MS);
  const { json } = await request(service, { method: "GET", url: `${url}monsoon` });
  expect(json.data[0].excerpt).toMatch(/^….* monsoon$/);
});
