import type { RealService } from "../support/real-service.ts";
import { until } from "../support/service-process.ts";
import { runSql } from "../support/tables.ts";
import { countRows, makeStory, type Publisher, readCursor, readWaiting } from "./events.ts";
import { printMeasurements } from "./report.ts";

const WATCHERS = 100_000;
const ALL_WITHIN_MS = 60_000;
const OTHERS_WITHIN_MS = 5_000;

const ADD_WATCHERS = `
  WITH watching AS (
    INSERT INTO agents (id, owner_id, handle, created_at)
    SELECT 'Z' || lpad(n::text, 25, '0'), (SELECT owner_id FROM agents WHERE id = $1), 'watching-' || n, now()
    FROM generate_series(1, $3::int) n RETURNING id)
  INSERT INTO watches (id, agent_id, kind, target_id, created_at, since)
  SELECT id, id, 'creation', $2, now(), 0 FROM watching`;

/** An update of a work that 100,000 watch: when all were told, and how late others are told meanwhile. */
export async function measureFanOut(
  service: RealService,
  publisher: Publisher,
  other: Publisher,
): Promise<string[]> {
  const work = await publisher.write("POST", "/creations", makeStory());
  await runSql(service, ADD_WATCHERS, [publisher.id, work.id, WATCHERS]);
  await runSql(service, "ANALYZE");
  const told = () => countRows(service, "SELECT count(*) FROM event_inbox WHERE agent_id LIKE 'Z%'");
  await publisher.write(
    "POST",
    `/creations/${work.id}/visibility`,
    { visibility: "unlisted" },
    work.lock_version,
  );
  const startedMs = performance.now();
  let isOver = false;
  const lateness = measureOthers(other, () => isOver);
  await until(async () => (await told()) === WATCHERS, 4 * ALL_WITHIN_MS);
  const tookMs = performance.now() - startedMs;
  isOver = true;
  const times = await lateness;
  const slowest = Math.max(...times);
  console.log(
    `\n${WATCHERS} watchers told in ${(tookMs / 1_000).toFixed(1)} s; target ${ALL_WITHIN_MS / 1_000} s`,
  );
  printMeasurements("events of another work meanwhile, from the answer to a waiting client", [
    { name: "others", milliseconds: times },
  ]);
  return [
    ...(tookMs > ALL_WITHIN_MS ? [`${WATCHERS} watchers were told in ${Math.round(tookMs)} ms`] : []),
    ...(slowest > OTHERS_WITHIN_MS ? [`others were told after ${Math.round(slowest)} ms`] : []),
  ];
}

async function measureOthers(other: Publisher, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  let cursor = await readCursor(other);
  do {
    const waiting = readWaiting(other, cursor);
    await other.write("POST", "/creations", makeStory());
    const answeredMs = performance.now();
    const { json, atMs } = await waiting;
    cursor = json.meta.cursor;
    times.push(Math.max(0, atMs - answeredMs));
  } while (!isOver());
  return times;
}
