import { randomUUID } from "node:crypto";
import { openSigner, readSignerKey } from "../../shared/text/transparency-log/signed-note.ts";
import { appendEntries, sweepLog } from "../../shared/trust/transparency-log/sequence-log.ts";
import { findCurrentLog } from "../../sql/trust/logs.ts";
import { enrolAgent, type HttpRequest, send } from "../support/http-agent.ts";
import { makeLogKey } from "../support/log.ts";
import { openRealService, type RealService } from "../support/real-service.ts";
import { runSql } from "../support/tables.ts";

const ROUNDS = 100;
const WORKS_A_ROUND = 5;
const MOST_RATIO = 1.05;
const COPIES = 20_000;
const LEAST_A_SECOND = 2_000;
const ENTRIES = 1_000_000;
const ENTRIES_AT_ONCE = 10_000;
const READS = 1_000;
/** As long as ids and names of members make an entry. */
const PAD = "-".repeat(100);
const MOST_CHECKPOINT_MS = 5;
const MOST_PROOF_MS = 10;
const ENV = {
  LIMIT_CREATIONS: "1000000",
  LIMIT_PUBLICATIONS_PER_DAY: "1000000",
  LIMIT_WRITES_PER_MINUTE: "1000000",
  LIMIT_LOG_PER_MINUTE: "1000000",
};

/** Measures what the log costs a publication, how fast it is sequenced, and how fast a large one is read. */
export async function run(): Promise<string[]> {
  const key = makeLogKey();
  const service = await openRealService({ env: { ...ENV, LOG_KEY: key } });
  try {
    const { url } = await service.startApi();
    const worker = await service.startWorkers(["deliver"]);
    const publishing = await measurePublishing(service, url);
    worker.child.kill("SIGTERM");
    await worker.ended;
    return [
      ...publishing,
      ...(await measureSequencing(service)),
      ...(await measureReading(service, url, key)),
    ];
  } finally {
    await service.close();
  }
}

type Write = (request: Omit<HttpRequest, "token" | "key">) => Promise<{ [name: string]: never }>;

/** The same publications with the log, and without its trigger, in turn; the sequencer works meanwhile. */
async function measurePublishing(service: RealService, url: string): Promise<string[]> {
  const { token } = await enrolAgent(service.deps, url, "log-bench");
  const write: Write = async (request) => {
    const reply = await send(url, { ...request, token, key: randomUUID() });
    if (reply.status >= 300) throw new Error(`${request.path} answered ${reply.status}: ${reply.text}`);
    return reply.json.data;
  };
  await publishFrontPage(url, token, write);
  const payload = { title: "Surge", body_markdown: "The gauge rose 1.2 m in the night. ".repeat(58) };
  const times: Record<"on" | "off", number[]> = { on: [], off: [] };
  for (let round = 0; round <= ROUNDS * 2; round++) {
    const state = round % 2 === 0 ? "on" : "off";
    const verb = state === "on" ? "ENABLE" : "DISABLE";
    await runSql(service, `ALTER TABLE creations ${verb} TRIGGER creations_log_publication`);
    for (let work = 0; work < WORKS_A_ROUND; work++) {
      const { id, lock_version: ifMatch } = await write({
        ...{ method: "POST", path: "/api/v1/creations", body: { type: "story", payload } },
      });
      const started = performance.now();
      await write({ method: "POST", path: `/api/v1/creations/${id}/publish`, body: {}, ifMatch });
      // The first round warms up, and the first work after a change of the table has its statements planned anew.
      if (round > 0 && work > 0) times[state].push(performance.now() - started);
    }
  }
  await runSql(service, "ALTER TABLE creations ENABLE TRIGGER creations_log_publication");
  const [on, off] = [quantile(times.on, 0.5), quantile(times.off, 0.5)];
  console.log(
    `publish: ${on.toFixed(2)} ms with the log, ${off.toFixed(2)} ms without (medians of ${times.off.length})`,
  );
  console.log(`ratio ${(on / off).toFixed(3)}, at most ${MOST_RATIO} wanted`);
  return on / off <= MOST_RATIO ? [] : [`log: a publication takes ${(on / off).toFixed(3)} times as long`];
}

async function publishFrontPage(url: string, token: string, write: Write): Promise<void> {
  const path = "/api/v1/agent/profile";
  const { data } = (await send(url, { path, token })).json;
  const body = { tagline: "Tide gauges" };
  const saved = (await send(url, { method: "PATCH", path, token, body, ifMatch: data.lock_version })).json
    .data;
  await write({
    ...{ method: "POST", path: `${path}/publish`, ifMatch: saved.lock_version },
    body: { revision_id: saved.draft.revision_id },
  });
}

/** Copies of a published work, with the rows that their publications would have put into the outbox. */
const COPY = `
  WITH source AS (
    SELECT c.*, r.payload, r.checksum FROM creations c JOIN creation_revisions r ON r.id = c.live_revision_id LIMIT 1
  ), numbered AS (
    SELECT n, 'Z' || lpad(n::text, 25, '0') AS id, 'Y' || lpad(n::text, 25, '0') AS revision_id
    FROM generate_series(1, $1::int) n
  ), works AS (
    INSERT INTO creations (id, agent_id, type, slug, visibility, latest_revision_id, latest_revision_number,
      live_revision_id, first_published_at, updated_at, created_at)
    SELECT w.id, s.agent_id, s.type, 'copy-' || w.n, s.visibility, w.revision_id, 1, w.revision_id,
      s.first_published_at, s.updated_at, s.created_at FROM source s, numbered w
  ), revisions AS (
    INSERT INTO creation_revisions (id, creation_id, revision_number, state, title, payload, checksum, minor,
      created_at, published_at)
    SELECT w.revision_id, w.id, 1, 'published', 'Copy ' || w.n, s.payload, s.checksum, false, s.created_at,
      s.first_published_at FROM source s, numbered w
  )
  INSERT INTO log_outbox (type, creation_id, revision_id, unlisted, at)
  SELECT 'published', w.id, w.revision_id, false, s.first_published_at FROM source s, numbered w`;

async function measureSequencing(service: RealService): Promise<string[]> {
  await sweepLog(service.deps);
  await runSql(service, COPY, [COPIES]);
  await runSql(service, "ANALYZE");
  const started = performance.now();
  const count = await sweepLog(service.deps);
  const perSecond = (count / (performance.now() - started)) * 1000;
  console.log(`sequenced: ${count} entries, ${Math.round(perSecond)} a second (at least ${LEAST_A_SECOND})`);
  if (count !== COPIES) throw new Error(`${count} entries were sequenced, and not ${COPIES}`);
  return perSecond >= LEAST_A_SECOND ? [] : [`log: ${Math.round(perSecond)} entries a second`];
}

async function measureReading(service: RealService, url: string, key: string): Promise<string[]> {
  await fill(service, key);
  // The proofs are of entries all over the log.
  await runSql(service, "UPDATE log_records SET index = (hashtext(revision_id)::bigint + 2147483648) % $1", [
    ENTRIES,
  ]);
  await runSql(service, "VACUUM ANALYZE");
  const bare = `${url}/log/vkeys`;
  const checkpoint = await readInTurn(bare, () => `${url}/log/checkpoint`);
  const proof = await readInTurn(bare, (n) => {
    return `${url}/@log-bench/copy-${1 + ((n * 7_919) % COPIES)}/revisions/1.tlog-proof`;
  });
  return [
    ...judge(`checkpoint of ${ENTRIES} entries`, checkpoint, MOST_CHECKPOINT_MS),
    ...judge(`proof out of ${ENTRIES} entries`, proof, MOST_PROOF_MS),
  ];
}

/** Fills the log as the sequencer does, in larger parts. */
async function fill(service: RealService, key: string): Promise<void> {
  const { deps } = service;
  const { seed } = readSignerKey(key) ?? { seed: Buffer.alloc(32) };
  const log = await findCurrentLog(deps.pool);
  if (log === null) throw new Error("there is no log");
  const signers = [openSigner(log.origin, seed)];
  for (let size = log.size; size < ENTRIES; ) {
    const count = Math.min(ENTRIES_AT_ONCE, ENTRIES - size);
    const texts = Array.from({ length: count }, (_, at) =>
      JSON.stringify({
        at: "2026-11-21T08:00:02Z",
        commitment: "0".repeat(64),
        creation: size + at,
        pad: PAD,
      }),
    );
    await deps.pool.transaction((tx) => appendEntries(tx, deps, { ...log, size }, signers, texts));
    size += count;
  }
}

/** The times of an address, and of a bare one that is read in turn with it: what the machine adds, both have. */
interface Turns {
  asked: number[];
  bare: number[];
}

async function readInTurn(bareUrl: string, urlOf: (n: number) => string): Promise<Turns> {
  const turns: Turns = { asked: [], bare: [] };
  for (let n = 0; n < READS; n++) {
    const times = { asked: await timeRead(urlOf(n)), bare: await timeRead(bareUrl) };
    if (n < READS / 10) continue;
    turns.asked.push(times.asked);
    turns.bare.push(times.bare);
  }
  return turns;
}

async function timeRead(address: string): Promise<number> {
  const started = performance.now();
  const answer = await fetch(address);
  await answer.text();
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}`);
  return performance.now() - started;
}

/** A read is too slow where its 99th percentile is, and not where the bare address in the same turns has as late ones. */
function judge(what: string, { asked, bare }: Turns, mostMs: number): string[] {
  const [p99, bareP99] = [quantile(asked, 0.99), quantile(bare, 0.99)];
  console.log(
    `${what}: p50 ${quantile(asked, 0.5).toFixed(2)} ms, p99 ${p99.toFixed(2)} ms (at most ${mostMs});` +
      ` a bare address in turn: p50 ${quantile(bare, 0.5).toFixed(2)} ms, p99 ${bareP99.toFixed(2)} ms`,
  );
  return p99 <= Math.max(mostMs, bareP99 + mostMs / 2) ? [] : [`log: ${what}: p99 ${p99.toFixed(2)} ms`];
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
}
