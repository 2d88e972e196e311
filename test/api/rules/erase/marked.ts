import type { FastifyInstance } from "fastify";
import { buildApp } from "../../../../api/app.ts";
import { sendReport } from "../../../../shared/care/moderation/reports.ts";
import { closeDeps, openDeps } from "../../../../shared/platform/deps.ts";
import { type Json, publish, publishNew, request, type TestAgent } from "../../../support/agent.ts";
import { closeAfterwards } from "../../../support/close-afterwards.ts";
import type { TestService } from "../../../support/service.ts";
import { act, revise } from "../../../support/work-acts.ts";

/** The word that stands everywhere in the works to be erased. */
export const WORD = "quaxolotl";
export const REASON = "Order 12 of the court.";

const CHART = JSON.stringify({
  mark: "bar",
  title: WORD,
  description: `A bar of ${WORD}.`,
  data: { values: [{ month: WORD, mm: 51.9 }] },
  encoding: { x: { field: "month", type: "nominal" }, y: { field: "mm", type: "quantitative" } },
});
/** A text with the word in its prose and in two drawings. */
export const TEXT = `The gauge of ${WORD}.\n\n\`\`\`chart\n${CHART}\n\`\`\`\n\n\`\`\`mermaid\nflowchart LR\n  A[${WORD}] --> B\n\`\`\`\n`;

/** What its agent says of how it was made. */
const SAID = {
  origin: "assisted",
  models: [{ name: WORD, version: WORD, provider: WORD }],
  note: `By ${WORD}.`,
};

/** Works that hold the word, as their agent reads them, and the id of their file. */
export interface Marked {
  story: Json;
  data: Json;
  file: string;
}

/** Publishes a dataset with the word in its file's name, label, notes and cells. */
export async function publishData(by: TestAgent): Promise<{ data: Json; file: string }> {
  const upload = await by.upload(`${WORD}.csv`, `${WORD},height\n${WORD} one,2\n${WORD} two,3\n`);
  const file = upload.json.data.id;
  const dictionary = { columns: [{ name: "height", title: `Of ${WORD}`, unit: WORD, minimum: 1 }] };
  const attachments = [{ asset_id: file, label: `${WORD} heights`, notes: `By ${WORD}`, dictionary }];
  const payload = { title: `Heights of ${WORD}`, attachments };
  return { data: await publishNew(by, { type: "dataset", payload }), file };
}

/** Publishes such a dataset, and a story with two published revisions, a draft and a reader's report. */
export async function publishMarked(service: TestService, by: TestAgent): Promise<Marked> {
  const { data, file } = await publishData(by);
  const story = {
    payload: { title: `On ${WORD}`, body_markdown: TEXT },
    section: "reports",
    disclosure: SAID,
  };
  const { id } = await publishNew(by, story);
  await publish(by, await saveMore(by, id, "About"));
  await saveMore(by, id, "Beyond");
  const subject = { agentId: by.id, creationId: id };
  await sendReport(service.deps, { title: "", subject }, { reason: "illegal", note: `See ${WORD}.` }, "test");
  await sendReport(service.deps, { title: "", subject }, { reason: "error", note: `No ${WORD}.` }, "test");
  return { data, file, story: await act(by, { id }, "retract", { reason: `Not of ${WORD}.` }) };
}

async function saveMore(by: TestAgent, id: string, start: string): Promise<Json> {
  const changes = { set: { summary: `${start} ${WORD}.` } };
  return await revise(by, { id }, { change_summary: `More ${WORD}.`, changes, publish: null });
}

/** The addresses that only these works have, those of their pictures too. */
export async function listAddresses(
  service: TestService,
  by: TestAgent,
  { story, data, file }: Marked,
): Promise<string[]> {
  const at = `/@${by.handle}`;
  const pages = [story, data].flatMap(({ slug }) => [`${at}/${slug}`, `${at}/${slug}.json`]);
  const pictures: string[] = [];
  for (const url of pages.slice(0, 3)) {
    const { text } = await request(service, { method: "GET", url });
    pictures.push(...(text.match(/\/art\/[\w./-]+\.(?:svg|png)/g) ?? []));
  }
  return [
    ...pages,
    ...[`${at}/${story.slug}/revisions/1..1`, `${at}/${story.slug}/revisions/1..1.json`],
    ...[`${at}/${story.slug}/revisions/1`, `${at}/${story.slug}/revisions.json`, `/id/${story.id}`],
    `${at}/${story.slug}/changes.xml`,
    ...[
      `/media/${file}/${WORD}.csv`,
      `/media/${file}/rows`,
      `/media/${file}/rows/all.csv`,
      `/media/${file}/stats`,
    ],
    ...new Set(pictures),
  ];
}

/** The pages, feeds and lists that show these works among others. */
export function listPlaces(by: TestAgent): string[] {
  const at = `/@${by.handle}`;
  return [
    ...["/", at, `${at}/section/reports`, `${at}/profile.json`, "/sitemap.xml", "/sitemaps/1.xml"],
    ...["/feed.xml", `${at}/feed.xml`, `${at}/section/reports/feed.xml`],
    ...["/feed.json", `${at}/profile/feed.json`, `${at}/section/reports/feed.json`],
    ...["/search?q=heights", "/api/v1/search/creations?q=heights", "/api/v1/search/creations?q=gauge"],
  ];
}

/** Another process of the interface on the database of a service. */
export async function openOther({
  deps: known,
  threads,
  databaseUrl,
}: TestService): Promise<FastifyInstance> {
  const { config, log, now } = known;
  const deps = await openDeps(config, { databaseUrl, works: false, maxConnections: 4, log, now });
  const app = await buildApp(deps, threads);
  closeAfterwards(async () => {
    await app.close();
    await closeDeps(deps);
  });
  return app;
}

/** What a process answers at an address: the status, and whether the body holds the word. */
export async function ask(app: FastifyInstance, url: string): Promise<[status: number, holdsWord: boolean]> {
  const { statusCode, body } = await app.inject({ url });
  return [statusCode, body.toLowerCase().includes(WORD)];
}
