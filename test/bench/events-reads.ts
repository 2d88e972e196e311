import { send } from "../support/http-agent.ts";
import type { RealService } from "../support/real-service.ts";
import { seededRandom } from "../support/seeded-csv.ts";
import { runSql } from "../support/tables.ts";
import { countRows, type Publisher } from "./events.ts";
import { printMeasurements, quantile } from "./report.ts";

const EVENTS = 500_000;
const READS = 500;
const WITHIN_MS = 10;

// Each event is told to the reader and to another agent: a million rows. Every thousandth is of a rare type.
const ADD_EVENTS = `
  WITH made AS (
    INSERT INTO events (id, outbox_id, type, at, agent_id, creation_id, data, last_position)
    SELECT 'Y' || lpad(n::text, 25, '0'), -n, CASE WHEN n % 1000 = 0 THEN 'token.leaked' ELSE 'creation.updated' END,
      now(), $1, $1, '{"revision_number": 1, "minor": false, "visibility": "public", "by": "agent"}', n
    FROM generate_series(1, $2::int) n RETURNING id, type, last_position)
  INSERT INTO event_inbox (position, agent_id, event_id, reason, type)
  SELECT last_position * 2 + who, CASE who WHEN 0 THEN $1 ELSE 'Z' || lpad('1', 25, '0') END, id, 'own', type
  FROM made, generate_series(0, 1) who`;

/** A page of events after a random cursor, of all types and of a rare one, among a million rows. */
export async function measureReads(service: RealService, reader: Publisher): Promise<string[]> {
  await runSql(service, ADD_EVENTS, [reader.id, EVENTS]);
  await runSql(service, "VACUUM ANALYZE event_inbox");
  await runSql(service, "VACUUM ANALYZE events");
  const rows = await countRows(service, "SELECT count(*) FROM event_inbox");
  const random = seededRandom(1);
  const ways = { "all types": "", "a rare type": "&types=token.leaked" };
  const measured = [];
  const missed: string[] = [];
  for (const [name, more] of Object.entries(ways)) {
    const times: number[] = [];
    for (let read = -20; read < READS; read++) {
      const position = Math.floor(random() * EVENTS * 2);
      const path = `/api/v1/events?per_page=20&after=${toCursor(position)}${more}`;
      const startedMs = performance.now();
      const { status, json } = await send(reader.url, { path, token: reader.token });
      if (status !== 200 || json.data.length === 0) throw new Error(`events answered ${status}`);
      if (read >= 0) times.push(performance.now() - startedMs);
    }
    measured.push({ name, milliseconds: times });
    const p99 = quantile(times, 0.99);
    console.log(`${name}: p99 ${p99.toFixed(1)} ms; target ${WITHIN_MS}`);
    if (p99 > WITHIN_MS) missed.push(`a page of events of ${name} takes ${p99.toFixed(1)} ms, p99`);
  }
  printMeasurements(`a page of 20 events among ${rows} rows`, measured);
  return missed;
}

/** A cursor as the service writes it. */
function toCursor(position: number): string {
  return `${position.toString(36)}-${(position % 1_291).toString(36).padStart(2, "0")}`;
}
