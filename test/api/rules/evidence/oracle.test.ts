import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DuckDBInstance } from "@duckdb/node-api";
import { afterAll, expect, test } from "vitest";
import { sequenceEvents } from "../../../../shared/trust/events/sequence-events.ts";
import { createRandom, pick } from "../../../shared/tables/inspection/generated.ts";
import { connectAuthor, type Json, makeCreation, publish, request } from "../../../support/agent.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { runs } from "../../../support/depth.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { revise } from "../../../support/work-acts.ts";

// Figures over datasets that move, keep, rename and break what the figures stand on. DuckDB asks the file that stands in the
// place of the named one, which the model finds by itself: the service says the same, and tells of what has another state.
// Each figure's question is watched too, and its agent is told of what has another answer.

const [TENTH, TWENTIETH] = [10, 20];
const [DATASETS, TEXTS, UPDATES] = [runs(100, TWENTIETH), runs(300, TWENTIETH), runs(200, TENTH)];
const random = createRandom(20_261_129);
const upTo = (most: number) => Math.floor(random() * most);

const limits = {
  publicationsPerDay: 1e6,
  updatesPerDay: 1e6,
  files: 1e6,
  creations: 1e6,
  watchedQuestions: 1e6,
};
const service = await openService({ limits });
const [author, reader] = await Promise.all([connectAuthor(service), connectAuthor(service)]);
const path = join(await openFolder(), "data.csv");
const duckdb = await (await DuckDBInstance.create(":memory:", { threads: "1" })).connect();
afterAll(() => duckdb.closeSync());

interface File {
  label: string;
  filename: string;
  csv: string;
}
interface Dataset {
  work: Json;
  files: File[];
}
interface Figure {
  dataset: Dataset;
  /** The files of the revision that it names, and which of them it asks. */
  base: File[];
  file: File;
  op: string;
  station: string;
  text: string;
  state: string;
  /** Of the watch of its question: the name, and what the last answer was. */
  watch: string;
  answer: string;
}
let made = 0;
const fresh = (word: string) => `${word} ${++made}`;
const toFile = (csv: string): File => ({ csv, label: fresh("Label"), filename: `${fresh("file")}.csv` });

function makeCsv(): string {
  const rows = Array.from({ length: 3 + upTo(12) }, () => `${pick(random, ["A", "B"])},${upTo(2_000) / 100}`);
  return `s,v\n${rows.join("\n")}\n`;
}

/** Whether a question finds its columns; rows can be counted without the one that breaks. */
function hasColumns(csv: string, op: string): boolean {
  return op === "count" || csv.startsWith("s,v");
}

/** What DuckDB says; null where the question has no one number as its answer. */
async function ask({ csv }: File, { op, station }: Pick<Figure, "op" | "station">): Promise<string | null> {
  if (!hasColumns(csv, op)) return null;
  writeFileSync(path, csv);
  const value = op === "count" ? "count(*)" : `${op}(CAST(v AS DECIMAL(18, 2)))`;
  const from = `read_csv('${path}', all_varchar = true) WHERE s = '${station}'`;
  const [[found] = []] = (await duckdb.runAndReadAll(`SELECT ${value}::VARCHAR FROM ${from}`)).getRowsJson();
  const text = found as string | null;
  return text?.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** The file in the place of another: of its label, else of its name, else of its rank among those left. */
function findPlace(base: File[], live: File[], file: File): File | undefined {
  const ofLabel = live.find(({ label }) => label === file.label);
  if (ofLabel !== undefined) return ofLabel;
  const without = (files: File[], others: File[], by: "label" | "filename") =>
    files.filter((one) => !others.some((other) => other[by] === one[by]));
  const [left, free] = [without(base, live, "label"), without(live, base, "label")];
  const ofName = free.find(({ filename }) => filename === file.filename);
  if (ofName !== undefined) return ofName;
  return without(free, left, "filename")[without(left, free, "filename").indexOf(file)];
}

/** The state of a watched question, and the hash of its answer. */
async function answer(figure: Figure): Promise<string> {
  const file = findPlace(figure.base, figure.dataset.files, figure.file);
  if (file === undefined || !hasColumns(file.csv, figure.op)) return "cannot_be_asked null";
  const column = figure.op === "count" ? "count" : `${figure.op}_v`;
  const whole = `{"columns":["${column}"],"rows":[[${JSON.stringify(await ask(file, figure))}]]}`;
  return `answered ${createHash("sha256").update(whole).digest("hex")}`;
}

async function judge(figure: Figure): Promise<{ state: string; value: string | null }> {
  const file = findPlace(figure.base, figure.dataset.files, figure.file);
  const value = file === undefined ? null : await ask(file, figure);
  if (value === null) return { state: "cannot_be_asked", value };
  return { state: value === figure.text ? "holds" : "differs", value };
}

const CHANGES: Record<string, (files: File[]) => File[]> = {
  keep: (files) => files,
  rewrite: (files) => files.map((file) => ({ ...file, csv: random() < 0.5 ? makeCsv() : file.csv })),
  label: (files) => files.map((file) => ({ ...file, label: fresh("Label") })),
  rename: (files) => files.map((file) => ({ ...file, filename: `${fresh("file")}.csv` })),
  renew: (files) => files.map(({ csv }) => toFile(random() < 0.5 ? makeCsv() : csv)),
  turn: (files) => files.toReversed(),
  drop: (files) => (files.length > 1 ? files.slice(1) : files),
  add: (files) => (files.length < 4 ? [toFile(makeCsv()), ...files] : files),
  break: (files) => files.map((file) => ({ ...file, csv: file.csv.replace(/^s,\w/, "s,w") })),
  mend: (files) => files.map((file) => ({ ...file, csv: file.csv.replace(/^s,\w/, "s,v") })),
};

async function payloadOf(files: File[]): Promise<Json> {
  const attachments: Json[] = [];
  for (const { label, filename, csv } of files)
    attachments.push({ asset_id: (await uploadReady(service, author, filename, csv)).id, label });
  return { title: "Readings", attachments };
}

async function publishDataset(): Promise<Dataset> {
  const files = Array.from({ length: 1 + upTo(3) }, () => toFile(makeCsv()));
  const payload = await payloadOf(files);
  return { files, work: await publish(author, await makeCreation(author, { type: "dataset", payload })) };
}

/** A figure of some file as a payload has it, and as the model has it; null where the data have no number for it. */
async function makeFigure(datasets: Dataset[]): Promise<{ sent: Json; figure: Figure } | null> {
  const dataset = pick(random, datasets);
  const place = upTo(dataset.files.length);
  const file = dataset.files[place] as File;
  const { asset_id, content_sha256 } = dataset.work.latest_revision.files[place];
  const asked = {
    op: pick(random, ["count", "sum", "min", "max"]),
    station: pick(random, ["A", "B"]),
  };
  const text = await ask(file, asked);
  if (text === null) return null;
  const aggregate = [{ op: asked.op, ...(asked.op !== "count" && { column: "v" }) }];
  const filter = [{ column: "s", op: "eq", value: asked.station }];
  return {
    sent: { text, from: { asset_id, content_sha256, filter, aggregate } },
    figure: {
      ...{ ...asked, dataset, file, base: dataset.files, text, state: "holds" },
      ...{ watch: await watch(dataset, file, { filter, aggregate }), answer: "" },
    },
  };
}

async function watch({ work }: Dataset, { label }: File, question: Json): Promise<string> {
  const name = fresh("watch").replace(" ", "-");
  const body = { creation_id: work.id, label, question };
  expect((await reader.send("PUT", `/watches/questions/${name}`, body)).status).toBe(200);
  return name;
}

interface Text {
  work: Json;
  figures: Figure[];
}

async function publishText(datasets: Dataset[]): Promise<Text> {
  const made: Awaited<ReturnType<typeof makeFigure>>[] = [];
  for (let count = 1 + upTo(3); count > 0; count--) made.push(await makeFigure(datasets));
  const kept = made.filter((one) => one !== null);
  if (kept.length === 0) return await publishText(datasets);
  const sent = kept.map((one) => one.sent);
  const body_markdown = sent.map(({ text }) => `It was ${text} there.`).join("\n\n");
  const payload = { title: "Text", body_markdown, figures: sent };
  const work = await publish(reader, await makeCreation(reader, { type: "story", payload }));
  return { work, figures: kept.map(({ figure }) => figure) };
}

/** What the text says against what DuckDB says; the figures that have another state since. */
async function compare({ work, figures }: Text, when: string): Promise<Json[]> {
  const { json } = await request(service, { method: "GET", url: `/@${reader.handle}/${work.slug}.json` });
  const judged: Awaited<ReturnType<typeof judge>>[] = [];
  for (const figure of figures) judged.push(await judge(figure));
  const said = json.data.figures.map(({ now }: Json) => ({ state: now.state, value: now.value }));
  expect(said, when).toEqual(judged);
  const changed = judged.flatMap(({ state }, at) =>
    state === figures[at]?.state ? [] : [{ n: at + 1, state }],
  );
  for (const [at, figure] of figures.entries()) figure.state = judged[at]?.state ?? "";
  return changed;
}

/** The watches that are told of: those with another answer since. */
async function listAnswers(figures: Figure[]): Promise<string[]> {
  const told: string[] = [];
  for (const figure of figures) {
    const now = await answer(figure);
    if (now !== figure.answer) told.push(`${figure.watch} ${now}`);
    figure.answer = now;
  }
  return told.toSorted();
}

test("what the newest data say is what DuckDB says, and a change of state is told", async () => {
  const datasets: Dataset[] = [];
  for (let count = 0; count < DATASETS; count++) datasets.push(await publishDataset());
  const texts: Text[] = [];
  for (let count = 0; count < TEXTS; count++) texts.push(await publishText(datasets));
  await untilJobsAreDone(service);
  await sequenceEvents(service.deps);
  let cursor = (await reader.get("/events?after=now")).json.meta.cursor;
  const figures = texts.flatMap((text) => text.figures);
  await listAnswers(figures);
  for (let update = 0; update < UPDATES; update++) {
    const dataset = pick(random, datasets);
    const change = pick(random, Object.keys(CHANGES));
    const when = `update ${update}: ${change}`;
    dataset.files = CHANGES[change]?.(dataset.files) ?? [];
    await revise(author, dataset.work, { payload: await payloadOf(dataset.files) });
    await untilJobsAreDone(service);
    const expected: Record<string, Json[]> = {};
    for (const text of texts.filter(({ figures }) => figures.some((one) => one.dataset === dataset))) {
      const changed = await compare(text, when);
      if (changed.length > 0) expected[text.work.id] = changed;
    }
    await sequenceEvents(service.deps);
    const { json } = await reader.get(`/events?after=${cursor}&types=evidence.changed&per_page=100`);
    const told = json.data.map(({ creation_id, data }: Json) => [creation_id, data.figures]);
    expect(Object.fromEntries(told), when).toEqual(expected);
    expect(told).toHaveLength(Object.keys(expected).length);
    const page = (await reader.get(`/events?after=${cursor}&types=question.answered&per_page=100`)).json;
    cursor = page.meta.cursor;
    const answered = page.data.map(({ data }: Json) => `${data.name} ${data.state} ${data.answer_sha256}`);
    expect(answered.toSorted(), when).toEqual(
      await listAnswers(figures.filter((one) => one.dataset === dataset)),
    );
  }
}, 1_200_000);
