import { createHash } from "node:crypto";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { checkWitnessedLogs } from "../../../../shared/care/doctor/work.ts";
import {
  addWitnessedLog,
  endWitnessedLog,
  listWitnessKeys,
  readWitnessedLogs,
  reopenWitnessedLog,
} from "../../../../shared/trust/witness/witnessed-logs.ts";
import {
  verifyCosignature,
  verifySignedNote,
} from "../../../shared/text/transparency-log/oracle/verify-log.ts";
import { openForeignLog } from "../../../support/foreign-log.ts";
import { readRaw } from "../../../support/log.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";

const service = await openService({
  workers: false,
  config: { isWitness: true, siteUrl: "https://watch.example" },
  limits: { witnessPerMinute: 1_000 },
});
const { deps } = service;
const log = openForeignLog("sea.example/log");
const sizesFile = join(deps.config.dataDir, "keys", "witness.sizes");
const hash = createHash("sha256").update(log.origin).digest("hex");

async function submit(payload: string, headers: Record<string, string> = {}) {
  const answer = await service.app.inject({
    method: "POST",
    url: "/witness/add-checkpoint",
    payload,
    headers,
  });
  return { status: answer.statusCode, type: answer.headers["content-type"], text: answer.body };
}
const statusOf = async (payload: string) => (await submit(payload)).status;

describe("a witness", () => {
  test("has a key from its first call on, which only its user reads, under its own name", async () => {
    const [vkey = ""] = await listWitnessKeys(deps);
    expect(vkey).toMatch(/^watch\.example\/witness\+[0-9a-f]{8}\+B[A-Za-z0-9+/]+=*$/);
    expect((await readRaw(service, "/witness/vkey")).text).toBe(`${vkey}\n`);
    expect((await stat(join(deps.config.dataDir, "keys", "witness.key"))).mode & 0o777).toBe(0o600);
  });

  test("says what is wrong with a submission in the order of the standard", async () => {
    const old = log.submission(0, 3);
    const cases: readonly [payload: string, status: number][] = [
      ["", 400],
      ["old 0\n\nno checkpoint", 400],
      [old.replace("old 0", "old 00"), 400],
      [old.replace("old 0", "old 4"), 400],
      [
        old.replace("old 0\n", `old 0\n${"A".repeat(43)}=\n`.repeat(1) + `${"A".repeat(43)}=\n`.repeat(63)),
        400,
      ],
      ["x".repeat(65_537), 413],
      [old, 404],
    ];
    for (const [payload, status] of cases)
      expect([payload.slice(0, 40), await statusOf(payload)]).toEqual([payload.slice(0, 40), status]);
    await addWitnessedLog(deps, log.origin, log.vkey);
    expect(await statusOf(log.submission(0, 3).replace(/\n3\n/, "\n2\n"))).toBe(403);
    expect(await statusOf(openForeignLog(log.origin).submission(0, 3))).toBe(403);
    const empty = (root: string) => `old 0\n\n${log.note(`${log.origin}\n0\n${root}\n`)}`;
    expect(await statusOf(empty(Buffer.alloc(32).toString("base64")))).toBe(422);
    expect(await statusOf(log.submission(2, 3))).toBe(409);
    expect(await statusOf(log.submission(0, 3).replace("old 0\n", `old 0\n${"A".repeat(43)}=\n`))).toBe(422);
    expect((await readRaw(service, `/witness/${hash}/checkpoint`)).status).toBe(404);
  });

  test("cosigns what goes on from what it cosigned before, whatever the type of the body, and nothing else", async () => {
    const [vkey = ""] = await listWitnessKeys(deps);
    for (const [from, to] of [
      [0, 3],
      [3, 3],
      [3, 8],
      [8, 700],
    ] as const) {
      const { status, type, text } = await submit(log.submission(from, to), {
        "content-type": "application/octet-stream",
      });
      expect([status, type, text.split("\n").length]).toEqual([200, "text/plain; charset=utf-8", 2]);
      expect(verifyCosignature(`${log.checkpoint(to)}${text}`, vkey)).toBe(
        Math.floor(service.clock.nowMs / 1000),
      );
      const { text: kept } = await readRaw(service, `/witness/${hash}/checkpoint`);
      expect(verifySignedNote(kept, log.vkey)).toBe(`${log.checkpoint(to).split("\n\n")[0]}\n`);
      expect(verifyCosignature(kept, vkey)).toBeGreaterThan(0);
      const key = vkey.split("+").slice(2).join("+");
      expect(await readFile(sizesFile, "utf8")).toMatch(
        new RegExp(`^${to} [0-9a-f]{64} ${RegExp.escape(key)} sea.example/log\n$`),
      );
    }
    expect(await submit(log.submission(8, 900))).toEqual({
      status: 409,
      type: "text/x.tlog.size",
      text: "700\n",
    });
    expect(await statusOf(log.submission(700, 700, "other"))).toBe(422);
    expect(await statusOf(log.submission(700, 900, "other"))).toBe(422);
  });

  test("refuses a checkpoint that is too long to be kept with its line", async () => {
    const text = `${log.checkpoint(700).split("\n\n")[0]}\n${"x".repeat(65_300)}\n`;
    expect(await statusOf(`old 700\n\n${log.note(text)}`)).toBe(413);
  });

  test("shows no line before its file has it, and takes no lock where it has", async () => {
    service.statements.length = 0;
    expect((await readRaw(service, `/witness/${hash}/checkpoint`)).status).toBe(200);
    expect(service.statements.filter((text) => /lock|FOR UPDATE/i.test(text))).toEqual([]);
    const text = await readFile(sizesFile, "utf8");
    await writeFile(sizesFile, text.replace(/^700 [0-9a-f]+/, `8 ${"0".repeat(64)}`));
    expect((await readRaw(service, `/witness/${hash}/checkpoint`)).status).toBe(200);
    expect(await readFile(sizesFile, "utf8")).toBe(text);
  });

  test("cosigns one of two that come at once", async () => {
    const answers = await Promise.all([710, 720, 730].map((size) => statusOf(log.submission(700, size))));
    expect(answers.toSorted()).toEqual([200, 409, 409]);
  });

  test("believes two keys of a log, and none of one that was removed, whose size it keeps", async () => {
    const other = openForeignLog(log.origin);
    await addWitnessedLog(deps, log.origin, other.vkey);
    const size = (await readWitnessedLogs(deps)).logs[0]?.size ?? 0;
    expect(await statusOf(other.submission(size, size + 1))).toBe(200);
    await endWitnessedLog(deps, log.origin);
    expect(await statusOf(log.submission(size + 1, size + 2))).toBe(404);
    await expect(endWitnessedLog(deps, log.origin)).rejects.toThrow(/no such log/);
    const again = await addWitnessedLog(deps, log.origin, log.vkey);
    expect([again.size, again.keys]).toEqual([size + 1, [log.vkey]]);
    expect(await statusOf(log.submission(0, size))).toBe(409);
  });
});

describe("what was cosigned and is forgotten", () => {
  const sizeOf = async () => (await readWitnessedLogs(deps)).logs[0]?.size ?? 0;
  const standsStill = async () => {
    const size = await sizeOf();
    expect(await statusOf(log.submission(size, size + 1))).toBe(503);
    // Nor is what was shown before taken back.
    expect((await readRaw(service, `/witness/${hash}/checkpoint`)).status).toBe(size === 0 ? 404 : 503);
    expect((await readWitnessedLogs(deps)).logs[0]?.mend).toMatch(/witness log reopen/);
    expect(await checkWitnessedLogs(deps)).toMatchObject([{ status: "fail" }]);
  };

  test("has the witness stand still: an older database, a missing file, a restored backup, a missing key", async () => {
    const text = await readFile(sizesFile, "utf8");
    await runSql(service, "UPDATE witnessed_logs SET size = size - 1");
    await standsStill();
    await runSql(service, "UPDATE witnessed_logs SET size = size + 1");
    await rm(sizesFile);
    await standsStill();
    await addWitnessedLog(deps, log.origin, log.vkey);
    await standsStill();
    await writeFile(sizesFile, text);
    await runSql(service, "UPDATE witnessed_logs SET restored_at = now()");
    await standsStill();
  });

  test("has it stand still where the log is added to a database that lost it, and where it had signed nothing", async () => {
    const text = await readFile(sizesFile, "utf8");
    await runSql(service, "DELETE FROM witnessed_log_keys");
    await runSql(service, "DELETE FROM witnessed_logs");
    await addWitnessedLog(deps, log.origin, log.vkey);
    expect(await readFile(sizesFile, "utf8")).toBe(text);
    await standsStill();
    await rm(sizesFile);
    await standsStill();
    await addWitnessedLog(deps, log.origin, log.vkey);
    await standsStill();
    await writeFile(sizesFile, text);
  });

  test("ends with a new key of the witness, and the old one never signs again", async () => {
    const [before = ""] = await listWitnessKeys(deps);
    const { vkey, size } = await reopenWitnessedLog(deps, log.origin);
    expect([size, vkey === before, (await listWitnessKeys(deps))[0]]).toEqual([0, false, vkey]);
    const { status, text } = await submit(log.submission(0, 5));
    expect(status).toBe(200);
    expect(verifyCosignature(`${log.checkpoint(5)}${text}`, vkey)).toBeGreaterThan(0);
    expect(() => verifyCosignature(`${log.checkpoint(5)}${text}`, before)).toThrow(/did not cosign/);
    expect(await checkWitnessedLogs(deps)).toMatchObject([{ status: "ok" }]);
    await expect(reopenWitnessedLog(deps, log.origin)).rejects.toThrow("The log is cosigned.");
  });

  test("is begun anew by one of two operators at once, and the other is told", async () => {
    await runSql(service, "UPDATE witnessed_logs SET restored_at = now()");
    const both = await Promise.allSettled([1, 2].map(() => reopenWitnessedLog(deps, log.origin)));
    const told = both.map((one) => (one.status === "fulfilled" ? one.value.vkey : String(one.reason)));
    const [vkey = ""] = await listWitnessKeys(deps);
    expect(told.toSorted()).toEqual([expect.stringContaining("The log is cosigned."), vkey].toSorted());
    expect(await statusOf(log.submission(0, 5))).toBe(200);
  });

  test("is told of no log that goes on meanwhile", async () => {
    let size = 5;
    const goOn = async () => {
      for (; size < 25; size++) expect(await statusOf(log.submission(size, size + 1))).toBe(200);
    };
    const look = async () => {
      while (size < 25) {
        expect(await checkWitnessedLogs(deps)).toMatchObject([{ status: "ok" }]);
        expect((await readRaw(service, `/witness/${hash}/checkpoint`)).status).toBe(200);
      }
    };
    await Promise.all([goOn(), look()]);
  });
});

test("a site that is no witness has none of its addresses", async () => {
  const other = await openService({ workers: false });
  for (const url of ["/witness/vkey", `/witness/${hash}/checkpoint`])
    expect((await readRaw(other, url)).status).toBe(404);
  const url = "/witness/add-checkpoint";
  const bodies = [log.submission(0, 3), "{", "x".repeat(65_537), ""];
  for (const type of [undefined, "text/plain", "application/json", "application/octet-stream", "a/b"]) {
    for (const payload of bodies) {
      const headers = type === undefined ? {} : { "content-type": type };
      const { statusCode } = await other.app.inject({ method: "POST", url, payload, headers });
      expect([type, payload.length, statusCode]).toEqual([type, payload.length, 404]);
    }
  }
  for (const method of ["GET", "PUT", "DELETE", "OPTIONS", "HEAD"] as const)
    expect([method, (await other.app.inject({ method, url })).statusCode]).toEqual([method, 404]);
});

test.each([
  ["spaces, as that of Go's checksum database has", "sum.example database tree"],
  ["a separator of lines that ends no line of a checkpoint", "sum.example\u2028tree"],
])("an origin may have %s", async (_, origin) => {
  const sum = openForeignLog("sum.example");
  await addWitnessedLog(deps, origin, sum.vkey);
  const text = sum.checkpoint(0).split("\n\n")[0]?.replace("sum.example", origin);
  expect(await statusOf(`old 0\n\n${sum.note(`${text}\n`)}`)).toBe(200);
  expect(await statusOf(`old 0\n\n${sum.note(`${text}\n`)}`)).toBe(200);
});

test("what is no origin and no key of a log is refused with what is", async () => {
  await expect(addWitnessedLog(deps, "two\nlines", log.vkey)).rejects.toThrow(/first line/);
  const [vkey = ""] = await listWitnessKeys(deps);
  await expect(addWitnessedLog(deps, "a.example/log", vkey)).rejects.toThrow(/verifier key/);
});
