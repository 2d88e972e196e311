import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CorpusCase, contentOf } from "../../../shared/tables/inspection/sources.ts";
import { openDuckDb, readByHyparquet } from "../../../shared/tables/parquet/reading.ts";
import { connectAuthor, type Json, publish, publishNew, request } from "../../../support/agent.ts";
import { closeAfterwards } from "../../../support/close-afterwards.ts";
import { runScript } from "../../../support/run-script.ts";
import { openService, untilJobsAreDone } from "../../../support/service.ts";
import { until } from "../../../support/service-process.ts";
import { readPage, readText } from "../../pages/dom.ts";
import { rowsOf } from "../bound-charts/chart-site.ts";

/** A step of a replayed report; which members it has goes by its `op`. */
export interface Step extends CorpusCase {
  op: string;
  path?: string;
  read_with?: string;
  run?: string;
  question?: object;
  dictionary?: object;
  markdown?: string;
  times?: number;
  steps?: Step[];
  while?: number;
}

/** What the steps of one case made, for those that follow. */
interface Scene {
  content: Buffer;
  asset: Json;
  /** The file that an update took the place of. */
  before: Json;
  work: Json;
}

/** A service on which the steps of cases are played, each case in a scene of its own. */
export async function openStage() {
  const service = await openService({ limits: { publicationsPerDay: 1_000 } });
  const agent = await connectAuthor(service);
  const site = await service.app.listen({ port: 0, host: "127.0.0.1" });
  const duckdb = await openDuckDb();
  closeAfterwards(duckdb.close);

  const get = (url: string) => request(service, { method: "GET", url });
  const fill = ({ asset, work }: Scene, text = "") =>
    text
      .replace("{asset}", asset?.id)
      .replace("{sha256}", asset?.content_sha256)
      .replace("{page}", () => new URL(work.public_url).pathname);
  const payloadOf = ({ asset }: Scene, dictionary?: object) => ({
    title: "Table",
    attachments: [{ asset_id: asset.id, label: "Table", ...(dictionary && { dictionary }) }],
  });

  async function upload(scene: Scene, step: Step) {
    scene.content = contentOf(step);
    scene.asset = (await agent.upload(step.name, scene.content)).json.data;
    return { refused: null, ...describeAsset(scene.asset) };
  }

  async function update(scene: Scene, step: Step) {
    scene.before = scene.asset;
    scene.asset = (await agent.upload("update.csv", contentOf(step))).json.data;
    const body = { payload: payloadOf(scene), change_summary: "Changed." };
    const options = { ifMatch: scene.work.lock_version };
    const saved = await agent.send("PATCH", `/creations/${scene.work.id}`, body, options);
    scene.work = await publish(agent, saved.json.data);
  }

  async function open(scene: Scene, { path, read_with, run }: Step) {
    await untilJobsAreDone(service);
    const url = fill(scene, path);
    if (read_with === undefined) {
      const { text } = await get(url);
      return run === undefined ? text : await runListings(scene, text);
    }
    const bytes = Buffer.from(await (await fetch(`${site}${url}`)).arrayBuffer());
    const { names, columns } = await readByHyparquet(bytes);
    const byDuckDb = await duckdb.read(bytes);
    return { names, columns, isAlike: names.join() === byDuckDb.names.join(), byDuckDb: byDuckDb.columns };
  }

  /** The rows of a file as programs of its page read them. */
  async function runListings({ content }: Scene, html: string) {
    const path = join(duckdb.folder, "data.csv");
    await writeFile(path, content);
    const listings = readPage(html).all("figure", "class", "listing");
    const codeOf = (program: string) =>
      listings
        .map(readText)
        .find((text) => text.startsWith(program))
        ?.slice(program.length) ?? "";
    const node = codeOf("Node").replaceAll("http://localhost:3000", site);
    const printed = await runScript(
      `${node}\nconsole.log("ROWS" + JSON.stringify(rows.map(Object.values)));`,
    );
    const sql = codeOf("DuckDB, beside the downloaded file").replaceAll("'data.csv'", `'${path}'`);
    const [check = "", select = ""] = sql.split(";\n");
    await duckdb.ask(check);
    return { Node: JSON.parse(printed.split("ROWS")[1] ?? ""), DuckDB: await duckdb.ask(select) };
  }

  async function tell(scene: Scene, { markdown }: Step) {
    const payload = { title: "T", body_markdown: fill(scene, markdown) };
    const saved = await agent.send("POST", "/creations", { type: "story", payload });
    if (saved.status !== 201) return { status: saved.status, refused: JSON.stringify(saved.json.errors) };
    const { public_url } = await publish(agent, saved.json.data);
    return { refused: null, rows: rowsOf((await get(new URL(public_url).pathname)).text) };
  }

  async function askRows(path: string) {
    const { status, json } = await get(path);
    return status === 200 ? json.data.rows : `${status} ${json.code}`;
  }

  async function poll(scene: Scene, step: Step) {
    let status = step.while;
    await until(async () => {
      status = (await get(fill(scene, step.path))).status;
      return status !== step.while;
    }, 20_000);
    return status;
  }

  const ops: Record<string, (scene: Scene, step: Step) => Promise<unknown>> = {
    ...{ upload, poll, get: open, update_dataset: update, publish_story: tell },
    async publish_dataset(scene, { dictionary }) {
      scene.work = await publishNew(agent, { type: "dataset", payload: payloadOf(scene, dictionary) });
    },
    rows: ({ asset }) => askRows(`/media/${asset.id}/rows`),
    query: ({ asset }, { question }) =>
      askRows(`/media/${asset.id}/query?question=${encodeURIComponent(JSON.stringify(question))}`),
    diff: async ({ asset, before }) =>
      (await get(`/media/${asset.id}/diff?base=${before.id}`)).json.data.summary,
    async repeat(_, { times = 1, steps = [] }) {
      const last: unknown[] = [];
      for (let turn = 0; turn < times; turn++) last.push((await play(steps)).at(-1));
      return [...new Set(last)];
    },
  };

  /** Gives the answer to each of the steps; null to those of which nothing is to be told. */
  async function play(steps: readonly Step[]): Promise<unknown[]> {
    const scene: Scene = { content: Buffer.alloc(0), asset: null, before: null, work: null };
    const answers: unknown[] = [];
    for (const step of steps) {
      const act = ops[step.op];
      if (act === undefined) throw new Error(`no step is played as ${step.op}`);
      answers.push((await act(scene, step)) ?? null);
    }
    return answers;
  }
  return { play };
}

function describeAsset({ inspection: { kind, columns = [], sample = [] }, hints }: Json) {
  return {
    types: kind === "table" ? columns.map(({ type }: Json) => type).join(" ") : kind,
    table: [columns.map(({ name }: Json) => name), ...sample],
    hints: hints.map(({ code }: Json) => code).join(" "),
    told: hints.map(({ message }: Json) => message).join(" "),
  };
}
