import { generateKeyPairSync } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { COMMAND_LINE } from "../../shared/identity/audit/record-act.ts";
import { beginWitnesses } from "../../shared/trust/transparency-log/ask-witnesses.ts";
import { reopenLog } from "../../shared/trust/transparency-log/operate-log.ts";
import { addWitness } from "../../shared/trust/transparency-log/own-witnesses.ts";
import { addWitnessedLog } from "../../shared/trust/witness/witnessed-logs.ts";
import { removeContent } from "../../shared/works/creations/take-down.ts";
import { connectAuthor, type Json, makeCreation, publish } from "../support/agent.ts";
import { allow } from "../support/allow.ts";
import { runs } from "../support/depth.ts";
import { readRaw, readWholeLog, sequence } from "../support/log.ts";
import { until } from "../support/service-process.ts";
import { openWitness } from "../support/witness-host.ts";
import { revise } from "../support/work-acts.ts";
import { HARBOUR, writeFiles } from "./harbour.ts";
import { openStage, runClient } from "./stage.ts";
import { loadVerifier, pullAsNobody, readVkey, runVerifier, takeVerifier } from "./verify-stage.ts";

const REVISIONS = 1000;
/** For a command that reads or writes half of them. */
const MOST_MS = 600_000;
const PROFILE = { "profile.yml": HARBOUR["profile.yml"] ?? "" };
const text = (title: string) => `---\ntitle: ${title}\n---\nThe gauge rose.\n`;
const failuresOf = ({ checked }: Json) =>
  checked.flatMap(({ ok, path, failed }: Json) => (ok ? [] : [[path, failed]]));

test("the witnesses that are named must have signed, as many as the quorum says", async () => {
  const [one, two] = [await openWitness("one"), await openWitness("two")];
  const outboundAllow = allow(`witness=${one.host}`, `witness=${two.host}`);
  const stage = await openStage({ config: { outboundAllow, logQuorum: 1 } });
  const { deps } = stage.service;
  await stage.client(await writeFiles({ ...PROFILE, "surge.md": text("Surge") }), "publish", ".");
  await sequence(stage.service);
  const vkey = await readVkey(stage);
  const unseen = await pullAsNobody(stage, "@tidewatch/surge");
  await addWitnessedLog(one.service.deps, vkey.split("+")[0] ?? "", vkey);
  await addWitness(deps, one.vkey, one.url);
  await beginWitnesses(deps);
  await until(() => deps.background.count() === 0, 15_000);
  const { folder } = await pullAsNobody(stage, "@tidewatch/surge");
  const program = await takeVerifier(stage);
  const run = async (at: string, ...args: string[]) => {
    const { exit, json } = await runVerifier(process.execPath, program, at, "--vkey", vkey, ...args);
    return [exit, json?.verdict, ...(json === null ? [] : failuresOf(json))];
  };
  const proof = ".broadsheet/proofs/surge.md.tlog-proof";
  const few = [1, "failed", [proof, "cosignatures"]];
  const [first, both] = [
    ["--witness", one.vkey],
    ["--witness", one.vkey, "--witness", two.vkey],
  ];
  expect(await run(folder, ...first)).toEqual([0, "verified"]);
  expect(await run(folder, ...both)).toEqual(few);
  expect(await run(folder, ...both, "--quorum", "1")).toEqual([0, "verified"]);
  expect(await run(unseen.folder, ...first)).toEqual(few);
  expect(await run(unseen.folder, ...first, "--quorum", "0")).toEqual([0, "verified"]);
  for (const quorum of ["3", "-1", "many"])
    expect([quorum, await run(folder, ...both, "--quorum", quorum)]).toEqual([quorum, [2, undefined]]);
  // A key that cosigns is no key of a log, and the other way round.
  expect(await run(folder, "--witness", vkey)).toEqual([2, undefined]);
  const { json } = await runVerifier(process.execPath, program, folder, ...first);
  expect(json.checked[0].message).toContain(`seen by ${one.name}`);
});

test("a signature counts where its key ended after the publication, and not where before", async () => {
  const stage = await openStage();
  const { clock } = stage.service;
  const folder = await writeFiles({ ...PROFILE, "early.md": text("Early") });
  expect((await stage.client(folder, "publish", ".")).exit).toBe(0);
  await writeFiles({ "late.md": text("Late") }, folder);
  expect((await stage.client(folder, "publish", ".", "--draft")).exit).toBe(0);
  clock.nowMs += 60_000;
  const { d: _, ...jwk } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  expect((await stage.agent.send("PUT", "/agent/keys", { keys: [jwk] })).status).toBe(200);
  clock.nowMs += 60_000;
  expect((await stage.client(folder, "publish", ".")).exit).toBe(0);
  await sequence(stage.service);
  const pulled = await pullAsNobody(stage, "@tidewatch");
  const verify = await loadVerifier(await takeVerifier(stage));
  const report = await verify(pulled.folder, { vkey: [await readVkey(stage)] });
  expect(failuresOf(report)).toEqual([[".broadsheet/proofs/late.md.json", "signature"]]);
  expect(report.checked.find(({ failed }: Json) => failed).message).toMatch(
    /^The key [\w-]{43} ended 2026-11-20T09:01:00Z, before this was published\.$/,
  );
  for (const page of ["early", "late"]) {
    const { text: html } = await readRaw(stage.service, `/@tidewatch/${page}`);
    expect([page, html.includes("Signed by the agent")]).toEqual([page, page === "early"]);
  }
});

test("where the log was begun anew, a work needs the key of its log, and that of the log with its agent's keys", async () => {
  const stage = await openStage();
  const { deps } = stage.service;
  await stage.client(await writeFiles({ ...PROFILE, "surge.md": text("Surge") }), "publish", ".");
  await sequence(stage.service);
  const first = await readWholeLog(stage.service);
  const [{ kty, crv, x }] = (await stage.agent.get("/agent/keys")).json.data.keys;
  const { d: _, ...jwk } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  await writeFile(join(deps.config.dataDir, "keys", "log.size"), `1 ${first.size + 1}\n`);
  await stage.agent.send("PUT", "/agent/keys", { keys: [{ kty, crv, x }, jwk] });
  expect(await sequence(stage.service)).toBe(0);
  await reopenLog(deps);
  await sequence(stage.service);
  const next = await readWholeLog(stage.service, "/log/2");
  const { folder } = await pullAsNobody(stage, "@tidewatch/surge");
  const verify = await loadVerifier(await takeVerifier(stage));
  const verdictOf = async (...vkey: string[]) => {
    const report = await verify(folder, { vkey });
    return [report.verdict, ...failuresOf(report)];
  };
  const at = ".broadsheet/proofs/surge.md";
  expect(await verdictOf()).toEqual(["consistent_with_itself"]);
  expect(await verdictOf(first.vkey, next.vkey)).toEqual(["verified"]);
  expect(await verdictOf(first.vkey)).toEqual(["failed", [`${at}.json`, "checkpoint"]]);
  expect(await verdictOf(next.vkey)).toEqual(["failed", [`${at}.tlog-proof`, "checkpoint"]]);
});

test("what was pulled before its content was removed still holds, and a proof from after says what is gone", async () => {
  const stage = await openStage();
  const author = await connectAuthor(stage.service, { handle: "lowwater" });
  const work = await publish(author, await makeCreation(author));
  await sequence(stage.service);
  const { folder } = await pullAsNobody(stage, `@lowwater/${work.slug}`);
  await revise(author, work, { changes: { set: { summary: "Shorter." } } });
  await sequence(stage.service);
  const newer = await pullAsNobody(stage, `@lowwater/${work.slug}`);
  const after = join(newer.folder, "after.tlog-proof");
  const url = `/@lowwater/${work.slug}/revisions/1.tlog-proof`;
  await removeContent(stage.service.deps, COMMAND_LINE, work.latest_revision.id, "owner");
  await writeFile(after, (await readRaw(stage.service, url)).text);
  const vkey = [await readVkey(stage)];
  const verify = await loadVerifier(await takeVerifier(stage));
  for (const at of [folder, newer.folder])
    expect(await verify(at, { vkey })).toMatchObject({ ok: true, verdict: "verified" });
  const gone = await verify(after, { vkey });
  expect(failuresOf(gone)).toEqual([[after, "commitment"]]);
  expect(gone.checked[0].message).toContain("The content was removed");
  expect(failuresOf(await verify(after))).toEqual([[after, "checkpoint"]]);

  // Where the log has a work not yet, no proof of an earlier revision is left beside it.
  await revise(author, work, { changes: { set: { summary: "Shorter again." } } });
  await stage.client(newer.folder, "pull", `@lowwater/${work.slug}`, ".", "--force");
  const none = await verify(newer.folder, { vkey });
  expect(failuresOf(none)).toEqual([[newer.folder, "file"]]);
});

test("many revisions are verified, signed and unsigned ones", { timeout: 1_200_000 }, async () => {
  const limits = { publicationsPerDay: 2 * REVISIONS, creations: 2 * REVISIONS };
  const stage = await openStage({ limits });
  const author = await connectAuthor(stage.service, { handle: "lowwater" });
  const count = Math.ceil(runs(REVISIONS) / 2);
  const titles = Array.from({ length: count }, (_, n) => `Reading ${n}`);
  const signed = Object.fromEntries(titles.map((title, n) => [`reading-${n}.md`, text(title)]));
  const own = await writeFiles({ ...PROFILE, ...signed });
  const published = await runClient(stage.program, stage.env, own, ["publish", "."], MOST_MS);
  expect(published.exit, published.stdout.slice(0, 2000)).toBe(0);
  for (const title of titles)
    await publish(author, await makeCreation(author, { payload: { title, body_markdown: "It fell." } }));
  await sequence(stage.service);
  const { vkey, size } = await readWholeLog(stage.service);
  const folders = [
    await pullAsNobody(stage, "@tidewatch", MOST_MS),
    await pullAsNobody(stage, "@lowwater", MOST_MS),
  ];
  expect(folders.map(({ exit, json }) => [exit, json.works.length])).toEqual([0, 1].map(() => [0, count]));
  await stage.service.close();
  const verify = await loadVerifier(await takeVerifier(stage));
  const found: string[] = [];
  for (const { folder, stderr } of folders) {
    const report = await verify(folder, { vkey: [vkey] });
    expect([report.verdict, failuresOf(report)], stderr).toEqual(["verified", []]);
    found.push(
      ...report.checked.flatMap(({ path, message }: Json) => (path.endsWith(".json") ? [message] : [])),
    );
  }
  const isSigned = (message: string) => message.includes("signed by the agent's key ");
  expect([found.length, found.filter(isSigned).length]).toEqual([2 * titles.length, titles.length]);
  // Each publication, and the one change of keys.
  expect(size).toBe(2 * titles.length + 1);
});
