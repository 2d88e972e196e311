import { createHash } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { orderAgent } from "../../../shared/agent-orders.ts";
import { COMMAND_LINE } from "../../../shared/audit.ts";
import { listDrawnPictures } from "../../../sql/artworks.ts";
import { ACTS } from "./acts.ts";
import { ADDRESSES, openScene, type Process, type Scene } from "./scene.ts";

const OPENING = [
  "an owner is let back",
  "an agent is let back",
  "a front page is shown again",
  "a work is shown again",
  "a story is updated",
];
const UNSEEN = new Set(["a draft is saved", "an agent is paused", "an agent resumes"]);

let scene: Scene;

beforeAll(async () => {
  scene = await openScene();
});
afterAll(() => scene.close());

/** What a reader sees of an address: everything of the answer but its request's own name. */
async function read({ app }: Process, url: string) {
  const { statusCode, headers, body } = await app.inject({
    method: "GET",
    url,
    headers: { accept: "text/html" },
  });
  const { etag, "x-robots-tag": robots, "content-type": type, "cache-control": cache } = headers;
  return { url, status: statusCode, etag, robots, type, cache, body: statusCode === 200 ? body : "" };
}

const readAll = (process: Process) => Promise.all(ADDRESSES.map((url) => read(process, url)));

/** Both processes that keep pages show what the one that keeps none shows. */
async function expectSame() {
  const kept = await Promise.all(scene.keeping.map(readAll));
  // Before pages are made anew, which would bring it back: every picture that they name is there.
  const named = new Set(kept.flat().flatMap(({ body }) => body.match(/(?<=\/art\/)[0-9a-f]{64}/g) ?? []));
  const found = await listDrawnPictures(scene.forgetful.deps.pool, [...named]);
  expect(found.map(({ hash }) => hash).sort()).toEqual([...named].sort());
  const fresh = await readAll(scene.forgetful);
  for (const answers of kept) expect(answers).toEqual(fresh);
  return fresh;
}

test("every address is open at the start, and read again without a statement of the pool", async () => {
  const fresh = await readAll(scene.forgetful);
  const open = fresh.filter(({ status }) => status === 200);
  expect(ADDRESSES.filter((url) => !open.some((answer) => answer.url === url))).toEqual([
    "/@tide/story/revisions/2",
  ]);
  // The second process runs no workers, so every statement is a reader's.
  const [, second] = scene.keeping;
  await readAll(second);
  second.statements.length = 0;
  expect(await Promise.all(open.map(({ url }) => read(second, url)))).toEqual(open);
  expect(second.statements).toEqual([]);
});

test("a kept page has the hash of its bytes as ETag, answers 304 to who has it, and HEAD without a body", async () => {
  const [{ app }] = scene.keeping;
  for (const url of ["/", "/@tide", "/@tide/story", "/@tide/story.json"]) {
    await app.inject({ url });
    const { headers, body } = await app.inject({ url });
    expect(headers.etag).toBe(`"${createHash("sha256").update(body).digest("hex").slice(0, 32)}"`);
    const known = { "if-none-match": `W/"other", ${headers.etag}` };
    const again = await app.inject({ url, headers: known });
    expect([again.statusCode, again.body, again.headers.etag]).toEqual([304, "", headers.etag]);
    const head = await app.inject({ method: "HEAD", url });
    expect([head.statusCode, head.body, head.headers.etag]).toEqual([200, "", headers.etag]);
    expect(head.headers["content-length"]).toBe(String(Buffer.byteLength(body)));
  }
});

test.each(Object.keys(ACTS))("when %s, kept pages equal pages made anew", async (name) => {
  // Both have read every page before the act, and kept it.
  const before = await expectSame();
  scene.service.clock.nowMs += 1_000;
  await ACTS[name]?.(scene);
  const after = await expectSame();
  // An act that moved nothing would prove nothing.
  if (!UNSEEN.has(name)) expect(after).not.toEqual(before);
});

test("random acts, read by two processes meanwhile, never leave a kept page behind", async () => {
  const acts = fc.array(fc.constantFrom(...Object.keys(ACTS)), { minLength: 5, maxLength: 9 });
  await fc.assert(
    fc.asyncProperty(acts, async (names) => {
      for (const name of [...OPENING, ...names]) {
        scene.service.clock.nowMs += 1_000;
        // Readers are under way before, during and after the act.
        const meanwhile = scene.keeping.map(async (process) => {
          await readAll(process);
          await readAll(process);
        });
        await ACTS[name]?.(scene);
        await expectSame();
        await Promise.all(meanwhile);
        await expectSame();
      }
    }),
    { numRuns: 4, endOnFailure: true },
  );
}, 120_000);

test("what is archived is gone in the other process too", async () => {
  const [first, second] = scene.keeping;
  await Promise.all([readAll(first), readAll(second)]);
  await orderAgent(first.deps, COMMAND_LINE, scene.tide.id, "archive");
  for (const { status, url } of await readAll(second)) {
    if (url.startsWith("/@tide")) expect([url, status]).toEqual([url, 404]);
  }
  await expectSame();
});
