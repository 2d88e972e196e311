import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Redis } from "ioredis";
import pg from "pg";
import { JOB_NAMES } from "../../../shared/platform/jobs/catalogue.ts";
import { send } from "../../support/http-agent.ts";
import { checkLog } from "./check-log.ts";
import type { Client } from "./client.ts";
import { checkEvents } from "./events.ts";
import { RULES, UNSETTLED } from "./rules.ts";
import type { Stack } from "./stack.ts";

/** What a check found, and how much it looked at. */
export interface Verdict {
  violations: string[];
  checks: number;
  /** Reasons of jobs that were given up; their rows' work is done all the same. */
  deadLetters: string[];
}

type Query = (text: string, values?: unknown[]) => Promise<Record<string, string>[]>;

/** Holds all invariants against database, files, Redis and both APIs. */
export async function checkAll(stack: Stack, clients: readonly Client[]): Promise<Verdict> {
  return await withDatabase(stack, async (query) => {
    const violations = clients.flatMap(({ handle, broken }) => broken.map((told) => `${handle}: ${told}`));
    let checks = 0;
    for (const [number, rule, text] of RULES) {
      checks += 1;
      const rows = await query(text);
      if (rows.length > 0) violations.push(`${number}. ${rule}: ${JSON.stringify(rows.slice(0, 3))}`);
    }
    const parts = [
      await checkFiles(query, stack.disk.folder),
      await checkPrivateIds(query, clients),
      await checkReaders(query, stack.urls),
      await checkLog(query),
      await checkEvents(query, clients),
    ];
    for (const client of clients) parts.push(await checkJournal(query, client));
    for (const part of parts) {
      checks += part.checks;
      violations.push(...part.violations);
    }
    const failures = stack.service.failures().map((line) => `logged as unexpected: ${line.slice(0, 600)}`);
    const queues = await readQueues(stack);
    const endings = stack.places.flatMap((place) => place.endings);
    violations.push(...failures, ...queues.violations, ...endings);
    return { violations, checks: checks + queues.checks, deadLetters: queues.deadLetters };
  });
}

/** Counts what still waits; empty when all is done. */
export async function findUnsettled(stack: Stack): Promise<Record<string, number>> {
  const [row] = await withDatabase(stack, (query) => query(UNSETTLED));
  const all = Object.entries({ ...row, ...(await countJobs(stack)) });
  return Object.fromEntries(all.map(([name, n]) => [name, Number(n)] as const).filter(([, n]) => n > 0));
}

async function withDatabase<T>({ service }: Stack, work: (query: Query) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: service.databaseUrl });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(async (text, values = []) => (await client.query(text, values)).rows);
  } finally {
    await client.end();
  }
}

type Part = Pick<Verdict, "violations" | "checks">;

/** 2 and 13: every file has a row, and every row that keeps a file its very bytes. */
async function checkFiles(query: Query, folder: string): Promise<Part> {
  const rows = await query(`
    SELECT id, content_sha256 FROM assets WHERE file_deleted_at IS NULL
    UNION ALL SELECT file_id, content_sha256 FROM parquet_files`);
  const found = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = new Map(found.filter((one) => one.isFile()).map((one) => [one.name, one.parentPath]));
  const violations: string[] = [];
  for (const { id = "", content_sha256 } of rows) {
    const parent = files.get(id);
    files.delete(id);
    const content = parent === undefined ? "" : await readFile(join(parent, id));
    if (createHash("sha256").update(content).digest("hex") !== content_sha256) {
      violations.push(`13. the bytes of ${id} are not there`);
    }
  }
  for (const name of files.keys()) violations.push(`6. the file ${name} has no row`);
  return { violations, checks: rows.length + files.size };
}

/** Ids that no reader and no other agent may ever have seen. */
const PRIVATE_IDS = `
  SELECT agent_id, id FROM creations WHERE first_published_at IS NULL
  UNION ALL SELECT c.agent_id, r.id FROM creation_revisions r JOIN creations c ON c.id = r.creation_id
    WHERE c.first_published_at IS NULL
  UNION ALL SELECT agent_id, id FROM assets WHERE expires_at IS NOT NULL
  UNION ALL SELECT agent_id, id FROM tokens`;

/** No answer named what is another agent's alone. */
async function checkPrivateIds(query: Query, clients: readonly Client[]): Promise<Part> {
  const rows = await query(PRIVATE_IDS);
  const violations = clients.flatMap(({ agentId, handle, seen }) =>
    rows
      .filter((row) => row.agent_id !== agentId && seen.has(row.id ?? ""))
      .map(({ id }) => `15. ${handle} was told of ${id}, which is another agent's`),
  );
  return { violations, checks: rows.length * clients.length };
}

/** 2 and 7: each API shows every open work, and no other. */
async function checkReaders(query: Query, urls: readonly string[]): Promise<Part> {
  const rows = await query(`
    SELECT c.id, c.slug, c.visibility, a.handle, r.title FROM creations c JOIN agents a ON a.id = c.agent_id
      JOIN creation_revisions r ON r.id = COALESCE(c.live_revision_id, c.latest_revision_id)`);
  const violations: string[] = [];
  for (const url of urls) {
    for (const { id = "", slug, visibility, handle, title = "" } of rows) {
      const isOpen = visibility !== "private";
      const page = await send(url, { path: `/@${handle}/${slug}.json` });
      const shows = `${page.status} ${page.json?.data?.id ?? ""}`;
      if (shows !== (isOpen ? `200 ${id}` : "404 ")) {
        violations.push(`7. ${slug} is ${visibility}, and its JSON answers ${shows}`);
      }
      const word = /qzx\w+zq/.exec(title)?.[0] ?? "";
      const found = await send(url, { path: `/api/v1/search/creations?query=${word}` });
      if (found.text.includes(id) !== (visibility === "public")) {
        violations.push(`14. ${slug} is ${visibility}, and search answers ${found.text.slice(0, 200)}`);
      }
    }
  }
  return { violations, checks: rows.length * urls.length * 2 };
}

/** 1 and 2: what was acknowledged is kept, answers again with the same bytes, and is all that there is. */
async function checkJournal(query: Query, client: Client): Promise<Part> {
  const violations: string[] = [];
  const kept = await query("SELECT key, asset_id FROM idempotency_keys WHERE agent_id = $1", [
    client.agentId,
  ]);
  const acked = new Set(client.journal.map(({ request }) => request.key));
  const unsure = new Set(client.unsure.map(({ key }) => key));
  const files = new Set(
    (await query("SELECT id FROM assets WHERE agent_id = $1", [client.agentId])).map(({ id }) => id),
  );
  for (const { key = "", asset_id } of kept) {
    if (!acked.has(key) && !unsure.has(key) && !asset_id)
      violations.push(`2. the key ${key} was refused and is kept`);
  }
  const url = client.urls[0] ?? "";
  for (const { request, status, text, etag, action, subjectId } of client.journal) {
    if (action === "asset.upload" && !files.has(subjectId)) continue;
    const again = await send(url, { token: client.token, ...request });
    const told = `${again.status} ${again.headers.get("idempotent-replayed")} ${again.headers.get("etag")}`;
    if (told !== `${status} true ${etag}` || again.text !== text) {
      violations.push(
        `2. ${action} ${request.key} answered ${status} and now ${told} ${again.text.slice(0, 200)}`,
      );
    }
  }
  violations.push(
    ...findRepeats(client),
    ...(await compareAudit(query, client, new Set(kept.map(({ key }) => key)))),
  );
  const alive = await send(url, { path: "/api/v1/agent", token: client.token });
  if (alive.status !== 200) violations.push(`11. the token of ${client.handle} answers ${alive.status}`);
  return { violations, checks: client.journal.length * 2 + kept.length + 1 };
}

/** 3: no version of a creation was given out twice. */
function findRepeats({ journal }: Client): string[] {
  const given = journal
    .filter(({ action, etag }) => action.startsWith("creation.") && etag !== null)
    .map(({ subjectId, etag }) => `${subjectId} ${etag}`);
  const twice = given.filter((one, index) => given.indexOf(one) !== index);
  return twice.map((one) => `3. two writes answered with the version ${one}`);
}

/** 2: every act on the books was acknowledged to its agent, and every acknowledgement is on the books. */
async function compareAudit(
  query: Query,
  { agentId, journal, unsure }: Client,
  kept: ReadonlySet<string | undefined>,
): Promise<string[]> {
  const rows = await query(
    `SELECT action, count(*)::int AS n FROM audit_log WHERE agent_id = $1 AND actor_kind = 'agent'
      AND (action LIKE 'creation.%' OR action = 'profile.publish') GROUP BY 1`,
    [agentId],
  );
  const booked = new Map(rows.map(({ action, n }) => [action, Number(n)]));
  const actions = new Set([...booked.keys(), ...journal.map(({ action }) => action)]);
  actions.delete("asset.upload");
  return [...actions].flatMap((action) => {
    const taken = unsure.filter((one) => one.action === action && kept.has(one.key));
    const acked = journal.filter((ack) => ack.action === action).length + taken.length;
    const n = booked.get(action ?? "") ?? 0;
    return acked === n ? [] : [`2. ${action} was acknowledged ${acked} times and booked ${n} times`];
  });
}

async function withRedis<T>({ redis }: Stack, work: (client: Redis) => Promise<T>): Promise<T> {
  const client = new Redis(redis.url, { lazyConnect: true });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    client.disconnect();
  }
}

/** Jobs that wait, run or wait for another try. */
async function countJobs(stack: Stack): Promise<Record<string, number>> {
  return await withRedis(stack, async (client) => {
    const counts: Record<string, number> = {};
    for (const name of JOB_NAMES) {
      const key = `{broadsheet}:${name}`;
      counts[name] =
        (await client.llen(`${key}:wait`)) +
        (await client.llen(`${key}:active`)) +
        (await client.zcard(`${key}:delayed`));
    }
    return counts;
  });
}

/** 15: a job that was given up says why. */
async function readQueues(stack: Stack): Promise<Verdict> {
  return await withRedis(stack, async (client) => {
    const violations: string[] = [];
    const deadLetters: string[] = [];
    for (const name of JOB_NAMES) {
      for (const id of await client.zrange(`{broadsheet}:${name}:failed`, "0", "-1")) {
        const reason = await client.hget(`{broadsheet}:${name}:${id}`, "failedReason");
        if (reason) deadLetters.push(`${name}: ${reason.split("\n")[0]}`);
        else violations.push(`15. ${name} ${id} was given up without a reason`);
      }
    }
    return { violations, checks: JOB_NAMES.length, deadLetters };
  });
}
