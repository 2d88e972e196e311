import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runAgentCommand } from "../../../../shared/identity/agents/agent-states.ts";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { currentArtworks } from "../../../../sql/datasets/artworks.ts";
import { DEEP } from "../../../support/depth.ts";
import { untilJobsAreDone } from "../../../support/service.ts";
import { ACTS } from "./acts.ts";
import { ADDRESSES, openScene, type Process } from "./scene.ts";

const OPENING = [
  "an owner is let back",
  "an agent is let back",
  "a front page is shown again",
  "a work is shown again",
  "a story is updated",
];
const UNSEEN = new Set(["a draft is saved", "an agent is paused", "an agent resumes"]);

const scene = await openScene();

/** What is another at every request. */
const OWN_HEADERS = ["date", "x-request-id", "ratelimit", "ratelimit-policy", "connection", "keep-alive"];

/** What a reader sees of an address: everything of the answer but what is its request's own. */
async function read({ origin }: Process, url: string, coding = "gzip") {
  const response = await fetch(`${origin}${url}`, {
    headers: { accept: "text/html", "accept-encoding": coding },
  });
  const headers = Object.fromEntries(response.headers);
  for (const name of OWN_HEADERS) delete headers[name];
  const body = await response.text();
  // A refusal names its request.
  if (response.status !== 200) return { url, status: response.status, headers: {}, body: "" };
  return { url, status: response.status, headers, body };
}

const readAll = (process: Process, urls: readonly string[] = ADDRESSES) =>
  Promise.all(urls.map((url) => read(process, url)));

let turn = 0;
/** What each of the two processes that cache pages is asked for: in npm test each has another sixteenth at every turn. */
const listAsked = (which: number) =>
  DEEP ? ADDRESSES : ADDRESSES.filter((_, at) => at % 16 === (8 * which + (turn % 8)) % 16);

let shown: Awaited<ReturnType<typeof readAll>> | null = null;

/** Both processes that cache pages show what the one that caches none shows; `shown` keeps it. */
async function expectSame() {
  turn++;
  const cached = await Promise.all(scene.caching.map((process, which) => readAll(process, listAsked(which))));
  // Before pages are rendered anew, which would bring it back: every picture that they name can be drawn.
  const named = new Set(cached.flat().flatMap(({ body }) => body.match(/(?<=\/art\/)[0-9a-f]{64}/g) ?? []));
  const found = await scene.uncached.deps.pool.anyFirst(currentArtworks([...named]));
  expect([...found].sort()).toEqual([...named].sort());
  const fresh = await readAll(scene.uncached, [...new Set([0, 1].flatMap(listAsked))]);
  for (const [which, answers] of cached.entries()) {
    expect(answers).toEqual(fresh.filter(({ url }) => listAsked(which).includes(url)));
  }
  shown = fresh;
  return fresh;
}

test("every address is open at the start, and read again without a statement of the pool", async () => {
  const fresh = await readAll(scene.uncached, ADDRESSES);
  const open = fresh.filter(({ status }) => status === 200);
  expect(ADDRESSES.filter((url) => !open.some((answer) => answer.url === url))).toEqual([
    "/@tide/story/revisions/2",
    "/@tide/story/revisions/1..2",
  ]);
  // The second process runs no workers, so every statement is a reader's.
  const [, second] = scene.caching;
  await readAll(second, ADDRESSES);
  // What the first read of a page ordered, such as a card, is drawn, and the page shows it.
  await untilJobsAreDone(scene.service);
  // It is told of what was drawn a moment after its job has ended.
  const listStatements = async () => {
    await readAll(second, ADDRESSES);
    second.statements.length = 0;
    expect(await Promise.all(open.map(({ url }) => read(second, url)))).toEqual(open);
    return [...second.statements];
  };
  await expect.poll(listStatements, { timeout: 80_000 }).toEqual([]);
});

test("a cached page has the hash of its bytes as ETag, answers 304 to who has it, and HEAD without a body", async () => {
  const [first] = scene.caching;
  for (const url of ["/", "/@tide", "/@tide/story", "/@tide/story.json"]) {
    const coding = { "accept-encoding": "identity" };
    await read(first, url, "identity");
    const { headers, body } = await read(first, url, "identity");
    const { etag } = headers;
    expect(etag).toBe(`"${createHash("sha256").update(body).digest("hex").slice(0, 32)}"`);
    if (!url.endsWith(".json")) {
      const packed = await read(first, url);
      const own = [packed.headers["content-encoding"], packed.headers.etag, packed.body];
      expect(own).toEqual(["gzip", etag?.replace(/"$/, '-gzip"'), body]);
    }
    const ask = ({ headers: asked, ...init }: { method?: string; headers?: Record<string, string> }) =>
      fetch(`${first.origin}${url}`, { ...init, headers: { ...coding, ...asked } });
    const again = await ask({ headers: { "if-none-match": `W/"other", ${etag}` } });
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag]);
    expect([again.headers.get("content-type"), again.headers.get("content-length")]).toEqual([null, null]);
    const head = await ask({ method: "HEAD" });
    expect([head.status, await head.text(), head.headers.get("etag")]).toEqual([200, "", etag]);
    expect(head.headers.get("content-length")).toBe(String(Buffer.byteLength(body)));
  }
});

test("every request for a cached page is answered with its ETag and an id of its own, and counted", async () => {
  const [first] = scene.caching;
  const url = "/@tide/story";
  const { etag } = (await read(first, url)).headers;
  const before = await countAnswers(first);
  const asked: [string, RequestInit][] = [
    [url, {}],
    [`${url}/`, {}],
    [`${url}?from=feed`, {}],
    [url, { method: "HEAD" }],
    [url, { headers: { "content-encoding": "identity" } }],
  ];
  for (const [address, init] of asked) {
    const response = await fetch(`${first.origin}${address}`, init);
    expect([response.status, response.headers.get("etag")]).toEqual([200, etag]);
    expect(response.headers.get("x-request-id")).toMatch(/^[0-9A-Z]{26}$/);
  }
  await expect.poll(() => countAnswers(first)).toBe(before + asked.length);
});

/** How many answers of a story's route a process has counted. */
async function countAnswers({ deps }: Process): Promise<number> {
  const lines = (await deps.metrics.registry.metrics()).split("\n");
  const counted = lines.filter((line) =>
    /^broadsheet_http_requests_total\{.*route="\/@:handle\/:slug"/.test(line),
  );
  return counted.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

test.each(Object.keys(ACTS))("when %s, cached pages equal pages rendered anew", async (name) => {
  // Both have read every page before the act, and cached it: most after the act before this one.
  const before = shown ?? (await expectSame());
  scene.service.clock.nowMs += 1_000;
  await ACTS[name]?.(scene);
  const after = await expectSame();
  // An act that moved nothing would prove nothing; a part of the pages may be the part that it leaves alone.
  if (DEEP && !UNSEEN.has(name)) expect(after).not.toEqual(before);
});

test.for(DEEP ? [4] : [])(
  "random acts of %d walks, read by two processes meanwhile, never leave a cached page behind",
  async (numRuns) => {
    const acts = fc.array(fc.constantFrom(...Object.keys(ACTS)), { minLength: 5, maxLength: 9 });
    const walk = fc.asyncProperty(acts, async (names) => {
      for (const name of [...OPENING, ...names]) {
        scene.service.clock.nowMs += 1_000;
        // Readers are under way before, during and after the act.
        const meanwhile = scene.caching.map(async (process) => {
          await readAll(process);
          await readAll(process);
        });
        await ACTS[name]?.(scene);
        await expectSame();
        await Promise.all(meanwhile);
        await expectSame();
      }
    });
    await fc.assert(walk, { numRuns, endOnFailure: true });
  },
);

test("what is archived is gone in the other process too", async () => {
  const [first, second] = scene.caching;
  await Promise.all([readAll(first), readAll(second)]);
  await runAgentCommand(first.deps, COMMAND_LINE, scene.tide.id, "archive");
  for (const { status, url } of await readAll(second)) {
    if (url.startsWith("/@tide")) expect([url, status]).toEqual([url, 404]);
  }
  await expectSame();
});
