import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import type { Json } from "../support/agent.ts";
import { enrolAgent, formOf, type HttpReply, send } from "../support/http-agent.ts";
import { INSPECTABLE, openInspector } from "../support/inspector.ts";
import { type ApiProcess, openRealService, type RealService } from "../support/real-service.ts";
import { listPlaces, type Place } from "../support/request-places.ts";
import { dumpTables } from "../support/tables.ts";

/** More rounds than these by hand: HOSTILE_ROUNDS=40000 puts every text into every place. */
const ROUNDS = Number(process.env.HOSTILE_ROUNDS ?? 2_000);
const WARM_UP = 600;
const AT_ONCE = 6;
const GROWS_BY_LESS_THAN_MIB = 16;
const OWN = [
  "",
  " ",
  "\u0000",
  "a\u0000b",
  "\ud800",
  "a\udc00",
  "\u202ertl\u202c",
  "a\u2066b",
  "\u200b",
  "\ufeff",
  "\u2028",
  "a\r\nb",
  "\u0007",
  "__proto__",
  "constructor",
  "toString",
  "../../../etc/passwd",
  "..\\..\\x",
  "%00",
  "%ff",
  "1e999",
  "-0",
  "9".repeat(400),
  "' OR 1=1 --",
  "<script>alert(1)</script>",
  "javascript:alert(1)",
  "{{7*7}}",
  "😀".repeat(300),
  "e\u0301".repeat(200),
  "a".repeat(70_000),
];
const corpus = join(import.meta.dirname, "../../../shared/corpora/naughty-strings.json");
if (!existsSync(corpus)) console.warn("SKIPPED in part: the corpus naughty-strings.json is not there");
const TEXTS: string[] = existsSync(corpus)
  ? [...new Set<string>([...OWN, ...JSON.parse(readFileSync(corpus, "utf8")).strings])]
  : OWN;
const ROOMY = Object.fromEntries(
  [
    ...["CREATIONS", "REVISIONS_PER_CREATION", "PROFILE_REVISIONS", "FILES", "PUBLICATIONS_PER_DAY"],
    ...["UPDATES_PER_DAY", "TOKENS_PER_AGENT", "AGENTS_PER_OWNER"],
  ].map((name) => [`LIMIT_${name}`, "1000000"]),
);

/** One agent with what addresses and ids of its requests stand for. */
interface Lane {
  token: string;
  values: Record<string, string>;
}

let service: RealService;
let api: ApiProcess;
let lanes: Lane[];
let places: Place[];
const seen = new Map<string, Set<string>>();

beforeAll(async () => {
  service = await openRealService({
    cluster: inject("cluster"),
    env: { ...ROOMY, LIMIT_STORAGE_BYTES: "1000000000", UPLOAD_WAIT_MS: "20000" },
  });
  [api] = await Promise.all([service.startApi({ env: INSPECTABLE }), service.startWorkers()]);
  places = listPlaces((await send(api.url, { path: "/api/v1/openapi.json" })).json);
  lanes = await Promise.all(Array.from({ length: AT_ONCE }, (_, place) => openLane(place)));
});
afterAll(async () => {
  expect(service.failures()).toEqual([]);
  expect(await service.close()).toEqual([]);
});

async function write(token: string, path: string, body: object, ifMatch?: number): Promise<Json> {
  const key = randomUUID();
  const method = path === "/agent/profile" ? "PATCH" : "POST";
  const more = ifMatch === undefined ? {} : { ifMatch };
  const reply = await send(api.url, { method, path: `/api/v1${path}`, token, key, body, ...more });
  if (reply.status > 299) throw new Error(`${path} answered ${reply.status}: ${reply.text}`);
  return reply.json.data;
}

async function openLane(place: number): Promise<Lane> {
  const handle = `lane-${place}`;
  const { token } = await enrolAgent(service.deps, api.url, handle);
  const profile = await write(token, "/agent/profile", { display_name: "Lane" }, 1);
  await write(
    token,
    "/agent/profile/publish",
    { revision_id: profile.draft.revision_id },
    profile.lock_version,
  );
  const asset = await write(token, "/assets", formOf("readings.csv", "station,height_m\nBremen,4.12\n"));
  const payload = { title: "Gauges", attachments: [{ asset_id: asset.id, label: "L" }] };
  const made = await write(token, "/creations", { type: "dataset", slug: "gauges", payload });
  const revision = made.latest_revision.id;
  await write(token, `/creations/${made.id}/publish`, { revision_id: revision }, made.lock_version);
  const other = await write(token, "/creations", { type: "brief", payload: { body_markdown: "A brief." } });
  const values = {
    ...{ handle, slug: "gauges", page: "charts", part: "1", asset: asset.id, asset_id: asset.id },
    ...{ creation: made.id, creation_id: other.id, revision, revision_id: revision },
  };
  return { token, values: { ...values, enrollment_code: `bse_${"0".repeat(24)}` } };
}

function fillIn(text: string, { values }: Lane): string {
  return text.replace(/\{(\w+)\}/g, (mark, name: string) => values[name] ?? mark);
}

/** The version of what the address is about, so that the request is read to its end. */
async function findVersion(path: string, { token }: Lane): Promise<number> {
  const resource = path.includes("/agent/")
    ? "/api/v1/agent/profile"
    : /^.*\/creations\/[^/]+/.exec(path)?.[0];
  const reply = await send(api.url, { path: resource ?? path, token });
  return reply.json?.data?.lock_version ?? 1;
}

async function tryText(place: Place, text: string, lane: Lane): Promise<void> {
  const path = fillIn(place.path(text), lane);
  const { method } = place as { method: "GET" };
  const sample = place.isForm ? formOf(`${text.slice(0, 300)}.txt`, text.toWellFormed()) : place.body?.(text);
  const body =
    place.isForm || sample === undefined ? sample : JSON.parse(fillIn(JSON.stringify(sample), lane));
  const reply = await send(api.url, {
    ...{ method, path, token: lane.token, key: randomUUID(), headers: place.headers?.(text) ?? {} },
    ...(place.isVersioned && !place.headers ? { ifMatch: await findVersion(path, lane) } : {}),
    ...(body === undefined ? {} : { body }),
  });
  expectSound(reply, `${place.name} ${JSON.stringify(text).slice(0, 80)}`);
  if (/token\/rotate$/.test(path) && reply.status === 200) lane.token = reply.json.data.token;
  const told = `${Math.floor(reply.status / 100)}xx`;
  seen.set(place.name, (seen.get(place.name) ?? new Set()).add(told));
}

/** No answer is a fault of ours, and every refusal of the interface has the one shape. */
function expectSound(reply: HttpReply, told: string): void {
  expect(`${told} ${reply.status < 500}`).toBe(`${told} true`);
  if (reply.status < 400 || reply.json === null) return;
  expect(Object.keys(reply.json).sort().join(), told).toBe("code,docs_url,errors,hint,message,request_id");
  expect(reply.text.isWellFormed() && !reply.text.includes("\u0000"), told).toBe(true);
}

let turn = 0;

/** So many rounds, each with the next place and another text: a stride that shares no factor meets every pair. */
async function play(rounds: number): Promise<void> {
  const end = turn + rounds;
  const work = async (lane: Lane) => {
    while (turn < end) {
      const round = turn++;
      const place = places[round % places.length] as Place;
      const text = TEXTS[(round + Math.floor(round / places.length) * 7) % TEXTS.length] as string;
      await tryText(place, text, lane);
    }
  };
  await Promise.all(lanes.map(work));
}

test(`${ROUNDS} rounds of naughty texts in every field of every address break nothing and take no memory`, {
  timeout: 3_600_000,
}, async () => {
  expect(places.length).toBeGreaterThan(150);
  const inspector = await openInspector(api);
  try {
    // Each place once: the first of a kind starts threads.
    const warmUp = Math.max(WARM_UP, places.length);
    await play(warmUp);
    const before = await inspector.measure();
    await play(ROUNDS);
    const after = await inspector.measure();
    const tell = (one: typeof after) =>
      `${one.residentMib.toFixed(1)} MiB resident, ${one.heapMib.toFixed(1)} MiB of heap`;
    console.log(
      `${places.length} places, ${TEXTS.length} texts: API ${tell(before)} after ${warmUp} rounds, ${tell(after)} after ${ROUNDS} more`,
    );
    expect(after.heapMib - before.heapMib).toBeLessThan(GROWS_BY_LESS_THAN_MIB);
    expect(after.residentMib - before.residentMib).toBeLessThan(2 * GROWS_BY_LESS_THAN_MIB);
  } finally {
    inspector.close();
  }
});

test("every place was reached, and bodies were read to their end", () => {
  expect(places.filter(({ name }) => !seen.has(name)).map(({ name }) => name)).toEqual([]);
  const refused = [...seen].filter(([name, told]) => /header|query|body/.test(name) && !told.has("4xx"));
  const saved = [...seen].filter(([, told]) => told.has("2xx"));
  console.log(`${seen.size} names of places: ${saved.length} took a text, ${refused.length} refused none`);
  // Free texts; the other places take ids, addresses, numbers and words of a list, and refuse nearly everything.
  expect(saved.length).toBeGreaterThan(40);
});

const ONE_LINE = /^(?:title|label|name|display_name|enrolled_name|slug|section|filename|handle|alias)$/;
const NOT_STORED = /[\u0000-\u0008\u000b-\u001f]/;
const NOT_IN_A_LINE = /[\n\t\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/;

function findFaults(value: Json, name: string): string[] {
  if (typeof value === "string") {
    const isBad =
      !value.isWellFormed() || NOT_STORED.test(value) || (ONE_LINE.test(name) && NOT_IN_A_LINE.test(value));
    return isBad ? [`${name}: ${JSON.stringify(value).slice(0, 80)}`] : [];
  }
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inside]) => [
    ...findFaults(key, "a name"),
    ...findFaults(inside, /^\d+$/.test(key) ? name : key),
  ]);
}

test("nothing is stored that should not be: NUL, controls, half pairs, and disguises in texts of one line", async () => {
  const rows = (await dumpTables(service)).split("\n");
  expect(rows.length).toBeGreaterThan(500);
  const faults = rows.flatMap((row) =>
    findFaults(JSON.parse(row.slice(row.indexOf(" ") + 1)), row.split(" ")[0] ?? ""),
  );
  expect(faults).toEqual([]);
});
