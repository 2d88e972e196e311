import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { COMMAND_LINE } from "../../../../shared/identity/audit/record-act.ts";
import { runCreationCommand } from "../../../../shared/works/creations/take-down.ts";
import { treeHash, verifySignedNote } from "../../../shared/text/transparency-log/oracle/verify-log.ts";
import { connectAuthor, type Json, makeCreation, publish, request } from "../../../support/agent.ts";
import { makeLogKey, readRaw, readWholeLog, sequence } from "../../../support/log.ts";
import { openService } from "../../../support/service.ts";

const service = await openService({ workers: false, config: { logKeys: [makeLogKey()] } });
const agent = await connectAuthor(service, { handle: "tidewatch" });

const proofOf = async (creation: Json, number: number) =>
  await readRaw(service, `/@tidewatch/${creation.slug}/revisions/${number}.tlog-proof`);

async function makeWork(title: string, more: object = {}): Promise<Json> {
  const payload = { title, body_markdown: `${title} rose 1.2 m.` };
  return await makeCreation(agent, { type: "story", payload, ...more });
}

describe("an empty log", () => {
  test("is signed as one without entries, and a tile of it is missing", async () => {
    await sequence(service);
    const { vkey, checkpoint, size } = await readWholeLog(service);
    expect(vkey).toMatch(/^localhost:3000\/log\+[0-9a-f]{8}\+A[A-Za-z0-9+/]+=*$/);
    const [origin, , root] = verifySignedNote(checkpoint, vkey).split("\n");
    expect([origin, size, root]).toEqual(["localhost:3000/log", 0, treeHash([]).toString("base64")]);
    for (const path of ["tile/0/000", "tile/0/000.p/1", "tile/entries/000.p/1", "tile/1/000.p/1"]) {
      const reply = await request(service, { method: "GET", url: `/log/${path}` });
      expect([path, reply.status, reply.json.code]).toEqual([path, 404, "not_found"]);
    }
  });
});

describe("the addresses of the log", () => {
  test("are open to other origins, tiles for ever, the checkpoint for two seconds", async () => {
    for (const title of ["First surge", "Second surge"]) await publish(agent, await makeWork(title));
    await sequence(service);
    const { size } = await readWholeLog(service);
    const headersOf = async (url: string) => (await readRaw(service, url)).headers;
    const checkpoint = await headersOf("/log/checkpoint");
    expect(checkpoint).toMatchObject({
      "content-type": "text/plain; charset=utf-8",
      "cache-control": "public, max-age=2",
      "access-control-allow-origin": "*",
    });
    expect(checkpoint["ratelimit-policy"]).toMatch(/^"log";/);
    for (const path of [`tile/0/000.p/${size}`, `tile/entries/000.p/${size}`]) {
      expect(await headersOf(`/log/${path}`)).toMatchObject({
        "content-type": "application/octet-stream",
        "cache-control": "public, max-age=31536000, immutable",
        "access-control-allow-origin": "*",
      });
    }
    const tile = await readRaw(service, `/log/tile/0/000.p/${size - 1}`);
    expect(tile.bytes.length).toBe((size - 1) * 32);
    const preflight = await service.app.inject({ method: "OPTIONS", url: "/log/tile/0/000" });
    expect([preflight.statusCode, preflight.headers["access-control-allow-origin"]]).toEqual([204, "*"]);
  });

  test("have bundles of entries packed by gzip for clients that unpack it, each form under a tag of its own", async () => {
    const { size } = await readWholeLog(service);
    const url = `/log/tile/entries/000.p/${size}`;
    const ask = async (headers: Record<string, string>, at = url) =>
      await service.app.inject({ method: "GET", url: at, headers });
    const plain = await ask({});
    for (const [accepted, coding] of [
      ["gzip", "gzip"],
      ["zstd, br, gzip", "gzip"],
      ["gzip;q=0.5, identity", undefined],
      ["gzip;q=0", undefined],
      ["identity", undefined],
      ["zstd", undefined],
    ] as const) {
      const reply = await ask({ "accept-encoding": accepted });
      const tag = String(plain.headers.etag);
      expect([accepted, reply.statusCode, reply.headers["content-encoding"], reply.headers.etag]).toEqual([
        ...[accepted, 200, coding],
        coding === undefined ? tag : tag.replace(/"$/, '-gzip"'),
      ]);
      expect(reply.headers).toMatchObject({
        vary: "accept-encoding",
        "content-length": String(reply.rawPayload.length),
        "content-type": "application/octet-stream",
        "cache-control": "public, max-age=31536000, immutable",
      });
      const bytes = coding === undefined ? reply.rawPayload : gunzipSync(reply.rawPayload);
      expect(bytes.equals(plain.rawPayload)).toBe(true);
      // Whoever has one of the forms that it takes is told which, without a coding of what is not sent.
      for (const known of [plain.headers.etag, reply.headers.etag].map(String)) {
        const again = await ask({ "accept-encoding": accepted, "if-none-match": known });
        expect([again.statusCode, again.headers.etag, again.headers["content-encoding"], again.body]).toEqual(
          [...[304, known, undefined, ""]],
        );
        expect(again.headers.vary).toBe("accept-encoding");
      }
    }
    const packed = await ask({ "accept-encoding": "gzip" });
    expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length);
    const unknown = { "if-none-match": String(packed.headers.etag), "accept-encoding": "identity" };
    expect((await ask(unknown)).statusCode).toBe(200);
    // Hashes do not pack.
    const hashes = await ask({ "accept-encoding": "gzip" }, `/log/tile/0/000.p/${size}`);
    expect([hashes.headers["content-encoding"], hashes.headers.vary]).toEqual([undefined, undefined]);
  });

  test("that the signed tree does not have, or that are written otherwise, are missing", async () => {
    const { size } = await readWholeLog(service);
    for (const path of [
      `tile/0/000.p/${size + 1}`,
      "tile/0/000",
      "tile/0/001.p/1",
      "tile/1/000.p/1",
      "tile/00/000.p/1",
      "tile/64/000.p/1",
      "tile/0/0.p/1",
      "tile/0/x000/000.p/1",
      "tile/0/000.p/01",
      "tile/0/000.p/0",
      "tile/entries/000",
      "tile/entries/x",
      "tile/x/000.p/1",
      "1/checkpoint",
      "2/checkpoint",
      "02/checkpoint",
      "x/checkpoint",
      "2/vkeys",
      "2/tile/0/000.p/1",
      "nothing",
    ]) {
      const reply = await request(service, { method: "GET", url: `/log/${path}` });
      expect([path, reply.status, reply.json.code]).toEqual([path, 404, "not_found"]);
    }
  });

  test("have a proof only where the page of the revision opens", async () => {
    const work = await publish(agent, await makeWork("Closed surge"));
    await sequence(service);
    expect((await proofOf(work, 1)).status).toBe(200);
    const payload = { title: "Closed surge", body_markdown: "It fell again." };
    const options = { ifMatch: work.lock_version };
    expect((await agent.send("PATCH", `/creations/${work.id}`, { payload }, options)).status).toBe(200);
    // The second revision is saved, and not published.
    for (const number of [0, 2, 99]) expect((await proofOf(work, number)).status).toBe(404);
    await runCreationCommand(service.deps, COMMAND_LINE, work.id, "hide");
    const page = await readRaw(service, `/@tidewatch/${work.slug}/revisions/1`);
    expect([page.status, (await proofOf(work, 1)).status]).toEqual([404, 404]);
    await runCreationCommand(service.deps, COMMAND_LINE, work.id, "unhide");
    expect((await proofOf(work, 1)).status).toBe(200);
  });
});
