// How soon a page says what newer data say of its figures, with a thousand questions about a dataset, fifty of them
// different; and what ten thousand questions cost the publication of the dataset, beside one that nobody asks.
import { setTimeout as pause } from "node:timers/promises";
import { formOf } from "../support/http-agent.ts";
import { openPublisher, type Publisher, ROOMY } from "../support/publisher.ts";
import { openRealService } from "../support/real-service.ts";
import { medianOf } from "./race.ts";

const ROWS = 10_000;
/** As many figures as a text may have, each with another question. */
const FIGURES = 50;
const TEXTS = { soon: 20, many: 200 };
const UPDATES = Number(process.env.BENCH_UPDATES ?? 20);
const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 100);
/** What a figure may be at most: seconds, and times a dataset that nobody asks. */
const MOST = { soon: 5, publishing: 1.05 };

let made = 0;
const writeCsv = () =>
  Buffer.from(
    `n,v\n${made++},0\n${Array.from({ length: ROWS - 1 }, (_, row) => `${row},${row % 1_000}`).join("\n")}\n`,
  );

interface Dataset {
  id: string;
  lockVersion: number;
  asset: { id: string; content_sha256: string };
}

async function upload({ call }: Publisher) {
  return await call({ method: "POST", path: "/api/v1/assets", body: formOf("readings.csv", writeCsv()) });
}

const describe = (asset: Dataset["asset"]) => ({
  title: "Readings",
  attachments: [{ asset_id: asset.id, label: "Readings" }],
});

async function publishDataset(author: Publisher): Promise<Dataset> {
  const asset = await upload(author);
  const { id, lock_version } = await author.publish("dataset", describe(asset));
  return { id, lockVersion: lock_version, asset };
}

/** Publishes other bytes; gives how long that call took, in milliseconds. */
async function update(author: Publisher, dataset: Dataset): Promise<number> {
  const asset = await upload(author);
  const body = { payload: describe(asset), change_summary: "Newer.", publish: {} };
  const path = `/api/v1/creations/${dataset.id}`;
  const since = performance.now();
  const saved = await author.call({ method: "PATCH", path, body, ifMatch: dataset.lockVersion });
  dataset.lockVersion = saved.lock_version;
  return performance.now() - since;
}

/** Publishes a story with fifty figures; gives the path of its public JSON. */
async function publishText(reader: Publisher, { asset }: Dataset): Promise<string> {
  const figures = Array.from({ length: FIGURES }, (_, at) => ({
    text: String(ROWS - 11 - 10 * at),
    from: {
      ...{ asset_id: asset.id, content_sha256: asset.content_sha256 },
      filter: [{ column: "v", op: "gt", value: String(at) }],
      aggregate: [{ op: "count" }],
    },
  }));
  const body_markdown = figures.map(({ text }) => `It was ${text} there.`).join("\n\n");
  const payload = { title: "What the readings say", body_markdown, figures };
  return new URL((await reader.publish("story", payload)).json_url).pathname;
}

/** Waits until a page says what a revision says; gives the milliseconds. */
async function waitForRevision(url: string, path: string, revision: number): Promise<number> {
  const since = performance.now();
  for (;;) {
    const { data } = (await (await fetch(`${url}${path}`)).json()) as { data: { figures: { now: Now }[] } };
    if (data.figures.every(({ now }) => now.revision_number === revision)) return performance.now() - since;
    await pause(20);
  }
}

interface Now {
  revision_number: number | null;
}

/** Measures both figures; tells what is above its target. */
export async function run(): Promise<string[]> {
  const service = await openRealService({ env: ROOMY });
  try {
    const [api, workers] = await Promise.all([service.startApi(), service.startWorkers()]);
    for (const running of [api, workers]) running.dropOutput();
    const { url } = api;
    const author = await openPublisher(service.deps, url, "evidence-author");
    const reader = await openPublisher(service.deps, url, "evidence-reader");
    const [asked, alone] = [await publishDataset(author), await publishDataset(author)];
    let path = "";
    for (let text = 0; text < TEXTS.soon; text++) path = await publishText(reader, asked);
    const soon: number[] = [];
    for (let round = 1; round <= UPDATES; round++) {
      await update(author, asked);
      soon.push(await waitForRevision(url, path, round + 1));
    }
    const p95 = (soon.toSorted((one, other) => one - other)[Math.ceil(0.95 * soon.length) - 1] ?? 0) / 1_000;
    console.log(
      `${TEXTS.soon * FIGURES} questions, answer on the page: p50 ${medianOf(soon).toFixed(0)} ms, p95 ${p95.toFixed(2)} s (must ${MOST.soon})`,
    );
    for (let text = TEXTS.soon; text < TEXTS.many; text++) path = await publishText(reader, asked);
    const took = { asked: [] as number[], alone: [] as number[] };
    // In turns: the questions about the one are asked while the other is published, too.
    for (let round = 0; round < ROUNDS; round++) {
      took.alone.push(await update(author, alone));
      took.asked.push(await update(author, asked));
    }
    console.log(
      `all answers after the last: ${(await waitForRevision(url, path, UPDATES + ROUNDS + 1)).toFixed(0)} ms`,
    );
    const ratio = medianOf(took.asked) / medianOf(took.alone);
    console.log(
      `publishing: ${medianOf(took.asked).toFixed(1)} ms with ${TEXTS.many * FIGURES} questions, ${medianOf(took.alone).toFixed(1)} ms without: ${ratio.toFixed(3)} times (must ${MOST.publishing})`,
    );
    return [
      ...(p95 > MOST.soon ? [`evidence on the page: ${p95.toFixed(2)} s, over ${MOST.soon}`] : []),
      ...(ratio > MOST.publishing
        ? [`publishing with questions: ${ratio.toFixed(3)}, over ${MOST.publishing}`]
        : []),
    ];
  } finally {
    await service.close();
  }
}
