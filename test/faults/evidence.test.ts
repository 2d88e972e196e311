import { randomUUID } from "node:crypto";
import pg from "pg";
import { expect, test } from "vitest";
import { createRandom } from "../shared/tables/inspection/generated.ts";
import type { Json } from "../support/agent.ts";
import { DEEP, runs } from "../support/depth.ts";
import { formOf, type HttpRequest, send } from "../support/http-agent.ts";
import { openPublisher } from "../support/publisher.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { until } from "../support/service-process.ts";
import { startChaos } from "./chaos.ts";

// A dataset moves on, and the workers are killed while they ask what texts have from it: in the transaction that keeps the
// answers, held open by a lock on one of them, or at any moment. Then every text says what the sums of this test say, and
// each change of a state is told once.

const KILLS = DEEP ? 5 : 1;
const STATIONS = 5;
const TEXTS = runs(60, 5);
const BACK_WITHIN_MS = 120_000;
const WAITING = `
  SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%UPDATE standing_questions%'`;

/** Whether a worker waits for the lock; a transaction goes on seeing the processes that it saw first, unless it is told. */
async function waits(holder: pg.Client): Promise<boolean> {
  await holder.query("SELECT pg_stat_clear_snapshot()");
  return (await holder.query(WAITING)).rowCount !== 0;
}

const random = createRandom(46_111);
const upTo = (most: number) => Math.floor(random() * most);
const sums = Array.from({ length: STATIONS }, () => 0);

/** A table in which the sum of about every other station is another than before. */
function moveOn(): string {
  for (const at of sums.keys()) if (random() < 0.5) sums[at] = 1 + upTo(1_000);
  return `station,v\n${sums.map((sum, at) => `s${at},${sum}`).join("\n")}\n`;
}

test("workers that are killed while they ask leave every text with the newest answer, told once", {
  timeout: 600_000,
}, async () => {
  const service = await openServiceOfRun({ LIMIT_PUBLICATIONS_PER_DAY: "1000" });
  const chaos = await startChaos(service);
  const { token, publish } = await openPublisher(service.deps, chaos.url, "standing");
  const call = async (request: HttpRequest): Promise<Json> => {
    const { status, text, json } = await send(chaos.url, { token, key: randomUUID(), ...request });
    expect(status, text).toBeLessThan(300);
    return json;
  };
  const upload = async () => {
    const body = formOf("readings.csv", moveOn());
    const { id } = (await call({ method: "POST", path: "/api/v1/assets", body })).data;
    const find = async () => (await call({ path: `/api/v1/assets/${id}` })).data;
    await until(async () => (await find()).readiness === "ready", 30_000);
    return await find();
  };
  const describe = ({ id }: Json) => ({ title: "Readings", attachments: [{ asset_id: id, label: "All" }] });

  const asset = await upload();
  const dataset = await publish("dataset", describe(asset));
  const texts: { id: string; path: string; station: number; text: string; state: string }[] = [];
  for (let made = 0; made < TEXTS; made++) {
    const station = made % STATIONS;
    const text = String(sums[station]);
    const from = {
      ...{ asset_id: asset.id, content_sha256: asset.content_sha256 },
      filter: [{ column: "station", op: "eq", value: `s${station}` }],
      aggregate: [{ op: "sum", column: "v" }],
    };
    const payload = { title: "Text", body_markdown: `It was ${text} there.`, figures: [{ text, from }] };
    const { id, json_url } = await publish("story", payload);
    texts.push({ id, path: new URL(json_url).pathname, station, text, state: "holds" });
  }
  let { cursor } = (await call({ path: "/api/v1/events?after=now" })).meta;
  let version = dataset.lock_version;

  for (let kill = 0; kill < KILLS; kill++) {
    const holder = new pg.Client({ connectionString: service.databaseUrl });
    // The database may end before it does.
    holder.on("error", () => undefined);
    await holder.connect();
    await holder.query("BEGIN");
    const isHeld = kill % 2 === 0;
    if (isHeld) await holder.query("SELECT 1 FROM standing_questions ORDER BY random() LIMIT 1 FOR UPDATE");
    const newer = await upload();
    const update = { payload: describe(newer), change_summary: "Newer.", publish: {} };
    const patch = { method: "PATCH", path: `/api/v1/creations/${dataset.id}`, body: update } as const;
    version = (await call({ ...patch, ifMatch: version })).data.lock_version;
    if (isHeld) await until(() => waits(holder), 30_000);
    expect(await chaos.kill("workers")).toBe("SIGKILL");
    await holder.end();

    const states = new Map<string, string>();
    for (const one of texts) {
      const { figures } = await readOnce(one.path, kill + 2);
      const value = String(sums[one.station]);
      const state = value === one.text ? "holds" : "differs";
      expect(figures[0].now, `kill ${kill}`).toMatchObject({ state, value });
      if (state !== one.state) states.set(one.id, state);
      one.state = state;
    }
    await untilTold(states);
  }

  /** The public JSON once its figure was asked of a revision. */
  async function readOnce(address: string, revisionNumber: number): Promise<Json> {
    const read = async () => (await call({ path: address })).data;
    await until(async () => (await read()).figures[0].now.revision_number === revisionNumber, BACK_WITHIN_MS);
    return await read();
  }

  /** Waits for as many events as there are changes, and takes all that are there then. */
  async function untilTold(states: ReadonlyMap<string, string>): Promise<void> {
    const list = async () =>
      await call({ path: `/api/v1/events?after=${cursor}&types=evidence.changed&per_page=100` });
    await until(async () => (await list()).data.length >= states.size, BACK_WITHIN_MS);
    const { data, meta } = await list();
    cursor = meta.cursor;
    const told = data.map((event: Json) => [event.creation_id, event.data.figures]);
    expect(Object.fromEntries(told)).toEqual(
      Object.fromEntries(Array.from(states, ([id, state]) => [id, [{ n: 1, state }]])),
    );
    expect(told).toHaveLength(states.size);
  }
});
