import type { Json } from "../../support/agent.ts";
import { type HttpReply, send } from "../../support/http-agent.ts";
import { ask, type Client } from "./client.ts";
import { untilDone } from "./until-done.ts";

type Query = (text: string, values?: unknown[]) => Promise<Record<string, string>[]>;

/** What each agent has to be told of its own, by what is on the books: type, work, and what it is about. */
const OWN = `
  SELECT c.agent_id, CASE WHEN r.revision_number = (SELECT min(f.revision_number) FROM creation_revisions f
      WHERE f.creation_id = c.id AND f.state = 'published') THEN 'creation.published' ELSE 'creation.updated' END
    || ' ' || c.id || ' ' || r.revision_number AS event
  FROM creation_revisions r JOIN creations c ON c.id = r.creation_id WHERE r.state = 'published'
  UNION ALL SELECT agent_id, replace(action, 'unpublish', 'unpublished') || ' ' || subject_id || ' ' FROM audit_log
    WHERE action IN ('creation.unpublish', 'creation.visibility')
  UNION ALL SELECT c.agent_id, 'schedule.' || s.status || ' ' || c.id || ' ' || s.id
    FROM schedules s JOIN creations c ON c.id = s.creation_id WHERE s.status <> 'pending'
  UNION ALL SELECT agent_id, 'token.issued  ' || prefix FROM tokens
  UNION ALL SELECT agent_id, 'token.revoked  ' || prefix FROM tokens WHERE revoked_at IS NOT NULL
  UNION ALL SELECT agent_id, 'asset.' || readiness || '  ' || id FROM assets
    WHERE answered_processing AND readiness <> 'processing'
  UNION ALL SELECT agent_id, replace(replace(action, 'pause', 'paused'), 'resume', 'resumed') || '  ' FROM (
    SELECT agent_id, action, lag(action, 1, 'agent.resume') OVER (PARTITION BY agent_id ORDER BY id) AS last
    FROM audit_log WHERE action IN ('agent.pause', 'agent.resume')) l WHERE action <> last`;

/** Lets each agent watch the next one before anything happens. */
export async function watchEachOther(clients: readonly Client[]): Promise<void> {
  for (const [number, client] of clients.entries()) {
    const watched = clients[(number + 1) % clients.length];
    if (watched === undefined || watched === client) continue;
    const path = `/api/v1/watches/agents/${watched.agentId}`;
    const reply = await ask(client, { method: "PUT", path });
    if (reply.status !== 204)
      client.broken.push(`a watch answered ${reply.status} ${reply.text.slice(0, 200)}`);
    client.watched = watched;
  }
}

/** 16: each act was told once to each agent concerned, in the order of the acts, and nothing else was. */
export async function checkEvents(
  query: Query,
  clients: readonly Client[],
): Promise<{ violations: string[]; checks: number }> {
  const violations: string[] = [];
  const due = await query(OWN);
  const files = new Set((await query("SELECT id FROM assets")).map(({ id }) => id));
  const told = new Map<Client, Json[]>();
  for (const client of clients) told.set(client, await readBack(client, violations));
  for (const [client, events] of told) {
    const own = events.filter(
      ({ reason, data }) => reason === "own" && (!data.asset_id || files.has(data.asset_id)),
    );
    const owed = due.filter(({ agent_id }) => agent_id === client.agentId).map(({ event = "" }) => event);
    violations.push(...compare(`${client.handle} of its own`, own.map(describe), owed));
    const watched = client.watched === null ? [] : (told.get(client.watched) ?? []);
    const seen = events.filter(({ reason }) => reason === "watch").map(describe);
    violations.push(...compare(`${client.handle} by its watch`, seen, listVisible(watched).map(describe)));
    violations.push(...findDisorder(client, events));
  }
  return { violations, checks: due.length };
}

/** All that an agent was told, read by two ways from both APIs: both are the same. */
async function readBack(client: Client, violations: string[]): Promise<Json[]> {
  const ways = [];
  for (const [at, perPage] of [
    [0, 100],
    [1, 7],
  ] as const) {
    const url = client.urls[at] ?? client.urls[0] ?? "";
    const events: Json[] = [];
    for (let after = "", hasMore = true; hasMore; ) {
      const path = `/api/v1/events?per_page=${perPage}${after}`;
      const { json } = await untilDone(() => readPage(url, path, client.token));
      events.push(...json.data);
      after = `&after=${json.meta.cursor}`;
      hasMore = json.meta.has_more;
    }
    ways.push(events);
  }
  const [one = [], other = []] = ways;
  // Each API has an address of its own, and writes it into what it answers.
  const textOf = (events: readonly Json[]) => JSON.stringify(events.map(({ url: _, ...event }) => event));
  if (textOf(one) !== textOf(other)) violations.push(`16. ${client.handle} reads two lists of events`);
  if (new Set(one.map(({ id }) => id)).size !== one.length)
    violations.push(`16. ${client.handle} has an event twice`);
  return one;
}

/** Throws where the agent has read too much in this minute. */
async function readPage(url: string, path: string, token: string): Promise<HttpReply> {
  const reply = await send(url, { path, token });
  if (reply.status !== 200) throw new Error(`events answered ${reply.status}`);
  return reply;
}

function describe({ type, creation_id, data }: Json): string {
  const isNumbered = type === "creation.published" || type === "creation.updated";
  const about = isNumbered
    ? data.revision_number
    : (data.schedule_id ?? data.asset_id ?? data.token_prefix ?? "");
  return `${type} ${creation_id ?? ""} ${about}`;
}

function compare(who: string, told: readonly string[], due: readonly string[]): string[] {
  const left = [...due];
  const undue = told.filter((one) => {
    const at = left.indexOf(one);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [
    ...left.slice(0, 3).map((one) => `16. ${who} was not told of ${one}`),
    ...undue.slice(0, 3).map((one) => `16. ${who} was told of ${one}, which is not on the books`),
  ];
}

/** What a watch of an agent tells: acts on public works. */
function listVisible(events: readonly Json[]): Json[] {
  const visibility = new Map<string, string>();
  return events.filter(({ type, reason, creation_id, data }) => {
    if (reason !== "own" || !type.startsWith("creation.")) return false;
    const before = visibility.get(creation_id);
    visibility.set(creation_id, data.visibility);
    return (type === "creation.unpublished" ? before : data.visibility) === "public";
  });
}

/** Within a work, revisions are told in the order in which they went live. */
function findDisorder({ handle }: Client, events: readonly Json[]): string[] {
  const last = new Map<string, number>();
  return events.flatMap(({ type, reason, creation_id, data }) => {
    if (type !== "creation.published" && type !== "creation.updated") return [];
    const key = `${reason} ${creation_id}`;
    const before = last.get(key) ?? 0;
    last.set(key, data.revision_number);
    return data.revision_number > before ? [] : [`16. ${handle} was told of ${creation_id} out of order`];
  });
}
