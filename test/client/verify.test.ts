import { createHash } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import canonicalize from "canonicalize";
import { expect, test } from "vitest";
import type { Json } from "../support/agent.ts";
import { runs } from "../support/depth.ts";
import { openForeignLog } from "../support/foreign-log.ts";
import { sequence } from "../support/log.ts";
import { HARBOUR, writeFiles } from "./harbour.ts";
import { openStage, runClient } from "./stage.ts";
import {
  findNode20,
  listProven,
  loadVerifier,
  pullAsNobody,
  readVkey,
  runVerifier,
  takeVerifier,
} from "./verify-stage.ts";

const FLIPS_A_FILE = 400;
const SAID = "disclosure: { origin: assisted, models: [{ name: m-large }], note: Read twice. }\n";
const FILES = {
  ...HARBOUR,
  "high-water.md": HARBOUR["high-water.md"]?.replace("type: brief\n", `type: brief\n${SAID}`) ?? "",
  "method/files.yml": "title: Method\nattachments: [{ path: notes.md, label: Notes }]\n",
  "method/notes.md": "# Notes\n",
  "map.project.yml": "title: Map\nexternal_url: https://maps.example.net/surge\n",
};
const PROOF = ".broadsheet/proofs/november-surge.md.tlog-proof";
const RECORD = ".broadsheet/proofs/november-surge.md.json";

const makeVkey = (name = "") => openForeignLog(name).vkey;
const sha256 = (text: string) => createHash("sha256").update(text).digest("hex");

const stage = await openStage();
const own = await writeFiles(FILES);
const published = await stage.client(own, "publish", ".");
expect(published.exit, published.stdout).toBe(0);
await sequence(stage.service);
const { folder, ...pulled } = await pullAsNobody(stage, "@tidewatch");
expect([pulled.exit, pulled.json.errors]).toEqual([0, []]);
const program = await takeVerifier(stage);
const verify = await loadVerifier(program);
const vkey = await readVkey(stage);
const failuresOf = async (keys = {}) =>
  (await verify(folder, keys)).checked.flatMap(({ ok, path, failed }: Json) => (ok ? [] : [[path, failed]]));

test("is consistent with itself, and verified by a key that was kept", async () => {
  const alone = await runVerifier(process.execPath, program, folder, "--json");
  expect([alone.exit, alone.json.ok, alone.json.verdict]).toEqual([0, true, "consistent_with_itself"]);
  const { exit, json } = await runVerifier(process.execPath, program, folder, "--vkey", vkey);
  expect([exit, json.ok, json.verdict, json.not_checked]).toEqual([0, true, "verified", []]);
  const checked = Object.fromEntries(json.checked.map((one: Json) => [one.path, one]));
  const proven = (await listProven(folder)).map((path) => path.slice(folder.length + 1));
  expect(Object.keys(checked).toSorted()).toEqual(proven);
  expect(json.checked.every((one: Json) => one.ok && one.failed === null)).toBe(true);
  const cameWith = `signed by ${vkey}, which came with the file: compare it with one that you kept`;
  const sentences = alone.json.checked.map(({ message }: Json) => message).join("\n");
  expect([sentences.includes(cameWith), checked[PROOF].message.includes("came with")]).toEqual([true, false]);
  expect(checked[RECORD].message).toMatch(/^as it was published, and signed by the agent's key [\w-]{43}$/);
  expect(checked["november-surge.md"].message).toBe(
    "title, summary, text as in the payload; the rest has the hash that pull noted, which nobody signed",
  );
  expect(checked["gauge/readings.csv"].message).toMatch(/^\d+ bytes that were published$/);
});

test("names what it has no proof of, and is checked by one file of it", async () => {
  await writeFile(join(folder, "mine.txt"), "mine");
  expect(await verify(folder, { vkey: [vkey] })).toMatchObject({ ok: true, not_checked: ["mine.txt"] });
  // As at a terminal, where it is text.
  const terminal = "data:text/javascript,process.stdout.isTTY=true";
  const tell = async (...args: string[]) => {
    const line = [terminal, program, folder, ...args];
    const { exit, stdout } = await runVerifier(process.execPath, "--import", ...line);
    return [exit, stdout.trimEnd().split("\n").at(-1)];
  };
  const oneOpen = ", but for 1 file without a proof";
  expect(await tell("--vkey", vkey)).toEqual([0, `verified${oneOpen}`]);
  expect(await tell()).toEqual([0, `consistent_with_itself${oneOpen}`]);
  await writeFile(join(folder, "more.txt"), "more");
  expect(await tell("--vkey", vkey)).toEqual([0, "verified, but for 2 files without a proof"]);
  expect(await tell("--vkey", makeVkey(vkey.split("+")[0]))).toEqual([1, "failed"]);
  await rm(join(folder, "more.txt"));
  for (const path of ["november-surge.md", PROOF, RECORD]) {
    const { checked, verdict } = await verify(join(folder, path), { vkey: [vkey] });
    expect([verdict, checked.length]).toEqual(["verified", 3]);
  }
  const none = await verify(join(folder, "mine.txt"), { vkey: [vkey] });
  expect(none.checked).toMatchObject([{ ok: false, failed: "file" }]);
  await rm(join(folder, "mine.txt"));
  expect((await verify(own)).checked).toMatchObject([{ path: own, ok: false, failed: "file" }]);
});

test("fails under another key, also one of the same name", async () => {
  const name = vkey.split("+")[0];
  const proofs = (await listProven(folder)).filter((path) => path.endsWith(".tlog-proof"));
  for (const other of [makeVkey(name), makeVkey("else.example/log")]) {
    const failed = await failuresOf({ vkey: [other] });
    expect(failed).toHaveLength(proofs.length);
    expect(new Set(failed.map(([, part]: string[]) => part))).toEqual(new Set(["checkpoint"]));
  }
  expect(await failuresOf({ vkey: [makeVkey(name), vkey] })).toEqual([]);
});

test("fails where any byte of it is another", { timeout: 600_000 }, async () => {
  const found = new Set<string>();
  const missed: [string, number, number][] = [];
  for (const path of await listProven(folder)) {
    const bytes = await readFile(path);
    for (let n = 0; n < runs(FLIPS_A_FILE); n++) {
      const [at, bit] = [Math.floor(Math.random() * bytes.length), Math.floor(Math.random() * 8)];
      await writeFile(
        path,
        bytes.map((byte, place) => (place === at ? byte ^ (1 << bit) : byte)),
      );
      const failed = await failuresOf(n % 2 === 0 ? { vkey: [vkey] } : {});
      if (failed.length === 0) missed.push([path, at, bit]);
      for (const [, part] of failed) found.add(part);
    }
    await writeFile(path, bytes);
    await rm(path);
    expect([path, await failuresOf()]).not.toEqual([path, []]);
    await writeFile(path, bytes);
  }
  expect(missed).toEqual([]);
  expect([...found].toSorted()).toEqual(expect.arrayContaining(["checkpoint", "commitment", "file"]));
  expect(await failuresOf({ vkey: [vkey] })).toEqual([]);
});

test("fails where one who can write all of it changes what was published", async () => {
  const at = join(folder, RECORD);
  const record = JSON.parse(await readFile(at, "utf8"));
  const cases: [object, string][] = [
    [{ payload: { ...record.payload, title: "Another surge" } }, "checksum"],
    [{ disclosure: { ...record.disclosure, note: "Nobody read it." } }, "checksum"],
    [{ files: ["0".repeat(64)], paths: ["gauge/readings.csv"] }, "checksum"],
    [{ keys: null }, "signature"],
    [{ vkeys: [makeVkey(vkey.split("+")[0])] }, "checkpoint"],
    [{ head: "../../etc/hostname" }, "file"],
    [{ more: 1 }, "file"],
  ];
  for (const [change, failed] of cases) {
    await writeFile(at, `${canonicalize({ ...record, ...change })}\n`);
    expect([change, await failuresOf({ vkey: [vkey] })]).toMatchObject([
      change,
      [[expect.any(String), failed]],
    ]);
  }
  await writeFile(at, `${canonicalize({ ...record, vkeys: [] })}\n`);
  expect([await failuresOf(), await failuresOf({ vkey: [vkey] })]).toEqual([[[PROOF, "checkpoint"]], []]);
  await writeFile(at, `${JSON.stringify(record, null, 1)}\n`);
  expect(await failuresOf()).toEqual([[RECORD, "file"]]);
  // Its own file, with the hash of it: what can be compared is.
  const text = await readFile(join(folder, "november-surge.md"), "utf8");
  for (const [from, to] of [
    ["title: November surge", "title: Calm"],
    ["stood at 4.12", "stood at 3.12"],
    ["summary: What two", "summary: What three"],
  ]) {
    const other = text.replace(from ?? "", to ?? "");
    await writeFile(join(folder, "november-surge.md"), other);
    await writeFile(at, `${canonicalize({ ...record, head_sha256: sha256(other) })}\n`);
    expect([to, await failuresOf()]).toEqual([to, [["november-surge.md", "file"]]]);
  }
  await writeFile(join(folder, "november-surge.md"), text);
  await writeFile(at, `${canonicalize(record)}\n`);
  expect(await failuresOf({ vkey: [vkey] })).toEqual([]);
});

const node = findNode20();
if (node === null) console.warn("SKIPPED: there is no Node 20 to run verify.mjs alone.");
test.skipIf(node === null)(
  "is verified by verify.mjs alone on Node 20, and a wrong line is told with its usage",
  async () => {
    const { exit, json } = await runVerifier(node ?? "", program, folder, "--vkey", vkey);
    expect([exit, json.verdict]).toEqual([0, "verified"]);
    for (const args of [
      [],
      ["a", "b"],
      ["--vkey", "no key", folder],
      ["--quorum", "1", folder],
      ["--other", folder],
      ["/nowhere"],
    ]) {
      const wrong = await runVerifier(node ?? "", program, ...args);
      expect([args, wrong.exit, wrong.json]).toEqual([args, 2, null]);
      expect(wrong.stderr).toContain("verify FILE|FOLDER");
    }
  },
);

test("is what verify of an address pulls, and the own folder of its agent is verified, too", async () => {
  const { BROADSHEET_TOKEN: _, ...nobody } = stage.env;
  const run = (...args: string[]) => runClient(stage.program, nobody, own, ["verify", ...args]);
  const far = await run(`${stage.site}/@tidewatch/november-surge`, "--vkey", vkey);
  expect([far.exit, far.json?.verdict, far.json?.checked.length], far.stdout).toEqual([0, "verified", 3]);
  expect((await run(`${stage.site}/@tidewatch/nothing`)).exit).toBe(1);
  expect((await run(`${stage.site}/search`)).exit).toBe(2);
  const pulled = await stage.client(own, "pull", "@tidewatch", ".");
  expect(new Set(pulled.json.works.map(({ did }: Json) => did))).toEqual(new Set(["unchanged"]));
  const here = await run(".", "--vkey", vkey);
  expect([here.exit, here.json.not_checked], here.stdout).toEqual([0, ["broadsheet.json", "profile.yml"]]);
  const again = await stage.client(own, "publish", ".");
  expect(new Set(again.json.works.map(({ did }: Json) => did))).toEqual(new Set(["unchanged"]));
});

test("needs no network: it is verified after its site is gone", async () => {
  await stage.service.close();
  expect(await failuresOf({ vkey: [vkey] })).toEqual([]);
});
