import { appendFile, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { createBackup } from "../../../shared/care/backup/create.ts";
import { sweepRemovals } from "../../../shared/care/backup/removals.ts";
import { restoreBackup } from "../../../shared/care/backup/restore.ts";
import { endAccount } from "../../../shared/care/owners/leave.ts";
import { sweepAll } from "../../../shared/care/sweeps.ts";
import { verifyFiles } from "../../../shared/datasets/uploads/sweeps.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { makeSignInLink } from "../../../shared/identity/sign-in/sign-in-links.ts";
import { removeContent, runCreationCommand } from "../../../shared/works/creations/take-down.ts";
import {
  connectAuthor,
  makeCode,
  makeCreation,
  publish,
  publishNew,
  request,
  speakAs,
} from "../../support/agent.ts";
import { openFolder } from "../../support/close-afterwards.ts";
import { findInMail } from "../../support/mail-folder.ts";
import { openDashboard } from "../../support/owner-dashboard.ts";
import { openService, type TestService, untilJobsAreDone } from "../../support/service.ts";
import { dumpTables, listStoredFiles, runSql } from "../../support/tables.ts";

const CSV = 'day,height_m,note\n2026-11-18,3.90,"two\nlines"\n2026-11-19,12345678901234567890,\n';
// What a restored row must keep exactly: line ends, quotes, backslashes, brackets, other scripts, long numbers.
const BODY =
  'She wrote "so \\\\ it is", (then) {left}, NULL.\n\n- Größe, 水位, 🌊\n\n```mermaid\nflowchart LR\n  A[Rain] --> B[River]\n```\n';

let story = { slug: "", id: "" };
/** What signs its owner in or enrols an agent, at the time of the backup. */
let spare = { code: "", link: "", invitation: "", cookie: "", ownerId: "" };

const folder = await openFolder();
const source = await openService({ config: { uploadWaitMs: 20_000, signUp: "invite" } });
const target = await openService({ workers: false });
const agent = await connectAuthor(source, { handle: "tidewatch", introduction_markdown: "Heights, hourly." });
const asset = (await agent.upload("heights.csv", CSV)).json.data;
expect(asset.readiness).toBe("ready");
const attachments = [{ asset_id: asset.id, label: "Heights" }];
const data = await makeCreation(agent, { type: "dataset", payload: { title: "Heights", attachments } });
await publish(agent, data);
const made = await makeCreation(agent, {
  payload: {
    title: 'A \\ "quoted" (title)',
    body_markdown: BODY,
    references: [{ creation_id: data.id, relation: "uses" }],
  },
});
story = await publish(agent, made);
await makeCreation(agent, { payload: { title: "A draft", body_markdown: "Not yet." } });
await agent.upload("unattached.csv", "a,b\n1,2\n");
const dashboard = await openDashboard(source);
const { ownerId, email, cookie } = dashboard;
await dashboard.post("/console/invitations", { invitee: "mara@example.net" });
const invited = /http\S+/;
const invitation = new URL(await findInMail(source.deps.config.dataDir, "mara@example.net", invited))
  .pathname;
const { url } = await makeSignInLink(source.deps, COMMAND_LINE, email);
spare = { code: await makeCode(source, ownerId), link: new URL(url).pathname, invitation, cookie, ownerId };

/** Answers of a service at every address that the source names, as a reader and as the agent. */
async function readAll(service: TestService): Promise<string[]> {
  const authorization = `Bearer ${agent.token}`;
  const told = ["/agent/profile", "/creations", "/assets", "/agent/feed"].map((path) => `/api/v1${path}`);
  const rows = await runSql(source, "SELECT id FROM assets ORDER BY id");
  const files = rows.map(({ id }) => `/api/v1/assets/${id}/content`);
  const seen = ["/", "/@tidewatch", "/@tidewatch.json", "/@tidewatch/feed.xml", "/sitemap.xml", "/feed.xml"];
  const pages = [
    ...seen,
    `/@tidewatch/${story.slug}`,
    `/@tidewatch/${story.slug}.json`,
    "/@tidewatch/heights",
  ];
  const answers: string[] = [];
  for (const url of [...pages, ...told, ...files]) {
    const isOwn = url.startsWith("/api/");
    const reply = await request(service, { method: "GET", url, headers: isOwn ? { authorization } : {} });
    answers.push(`${url} ${reply.status} ${reply.status < 300 ? reply.text : ""}`);
  }
  return answers;
}

async function settle(): Promise<void> {
  await sweepAll(source.deps);
  await untilJobsAreDone(source);
}

describe("a backup", () => {
  let before = "";
  let answers: string[] = [];
  const home = () => join(folder, "one");
  test("is written while the service runs, with a manifest of its hashes", async () => {
    // What is written behind the answers, feeds and Parquet for two, does not move any more.
    await settle();
    answers = await readAll(source);
    await settle();
    expect(answers.filter((line) => / 200 /.test(line)).length).toBeGreaterThan(8);
    before = await dumpTables(source, { withStats: true });
    const made = await createBackup(source.deps, source.databaseUrl, home());
    expect(made).toMatchObject({ files: 4, missing: [] });
    expect(made.bytes).toBeGreaterThan(Buffer.byteLength(CSV) + 8);
    const manifest = JSON.parse(await readFile(join(home(), "manifest.json"), "utf8"));
    expect(manifest.tables.map(({ name }: { name: string }) => name)).toContain("audit_log");
    expect((await readdir(home())).toSorted()).toEqual(["files", "files.ndjson", "manifest.json", "tables"]);
  });

  test("leaves out a file that is gone or has other bytes, and names both", async () => {
    const [gone = "", spoilt = ""] = await listStoredFiles(source);
    const pathOf = (id: string) => join(fileURLToPath(source.deps.config.filesUrl), id.slice(-2), id);
    const kept = await Promise.all(
      [gone, spoilt].map(async (id) => [id, await readFile(pathOf(id))] as const),
    );
    await rm(pathOf(gone));
    await appendFile(pathOf(spoilt), "x");
    const made = await createBackup(source.deps, source.databaseUrl, join(folder, "partial"));
    for (const [id, bytes] of kept) await writeFile(pathOf(id), bytes);
    expect([made.files, made.missing.toSorted()]).toEqual([2, [gone, spoilt].toSorted()]);
  });

  test("is refused a folder with something in it", async () => {
    await expect(createBackup(source.deps, source.databaseUrl, home())).rejects.toThrow(/not empty/);
  });

  test.for([
    ["tables/audit_log.ndjson", /audit_log.ndjson is not what the manifest says/],
    ["files.ndjson", /files.ndjson is not what the manifest says/],
    ["manifest.json", /manifest.json cannot be read/],
  ] as const)("whose %s was changed is refused, and nothing is written", async ([path, words]) => {
    const whole = await readFile(join(home(), path), "utf8");
    await writeFile(join(home(), path), whole.slice(1));
    const empty = await dumpTables(target, { withStats: true });
    await expect(restoreBackup(target.deps, target.databaseUrl, home())).rejects.toThrow(words);
    expect(await dumpTables(target, { withStats: true })).toBe(empty);
    await writeFile(join(home(), path), whole);
  });

  test("with a stored file that was changed leaves database and store empty", async () => {
    const [id = ""] = await listStoredFiles(source);
    const path = join(home(), "files", id.slice(-2), id);
    const bytes = await readFile(path);
    await writeFile(path, bytes.toString().replace("3", "9").replace("1,2", "9,2"));
    const empty = await dumpTables(target, { withStats: true });
    await expect(restoreBackup(target.deps, target.databaseUrl, home())).rejects.toThrow(
      /not what its row says: put it back/,
    );
    expect(await dumpTables(target, { withStats: true })).toBe(empty);
    expect(await listStoredFiles(target)).toEqual([]);
    await writeFile(path, bytes);
  });

  test("comes back whole: every row, every file, every page and answer", async () => {
    const restored = await restoreBackup(target.deps, target.databaseUrl, home(), { keepCredentials: true });
    expect(restored).toMatchObject({ files: 4, voided: null });
    await runSql(target, "DELETE FROM service_settings WHERE name = 'restored_at'");
    expect(await dumpTables(target, { withStats: true })).toBe(before);
    expect(await listStoredFiles(target)).toEqual(await listStoredFiles(source));
    expect(await verifyFiles(target.deps, () => undefined)).toMatchObject({ checked: 4, wrong: 0 });
    expect(await readAll(target)).toEqual(answers);
    const constraints = "SELECT conname, pg_get_constraintdef(oid) AS text FROM pg_constraint ORDER BY 1, 2";
    expect(await runSql(target, constraints)).toEqual(await runSql(source, constraints));
    const triggers = "SELECT tgname, tgenabled FROM pg_trigger WHERE NOT tgisinternal ORDER BY 1";
    expect(await runSql(target, triggers)).toEqual(await runSql(source, triggers));
  });

  test("and goes on from there: the agent writes with its token", async () => {
    const again = speakAs(target, agent);
    const published = await publishNew(again);
    expect(published.visibility).toBe("public");
    await expect(runSql(target, "DELETE FROM audit_log")).rejects.toThrow(/permission denied/);
  });

  test("comes back without a working credential unless they are to be kept: some may have been ended since", async () => {
    const other = await openService({ workers: false, config: { signUp: "invite" } });
    const restored = await restoreBackup(other.deps, other.databaseUrl, home());
    expect(restored.voided).toEqual({ sessions: 1, sign_in_links: 1, codes: 1, tokens: 1 });
    expect((await speakAs(other, agent).get("/agent")).json.code).toBe("unauthenticated");
    const enrol = { enrollment_code: spare.code, handle: "latecomer" };
    const refused = await request(other, { method: "POST", url: "/api/v1/agents", payload: enrol });
    expect(refused.json.code).toBe("enrollment_revoked");
    expect((await request(source, { method: "GET", url: spare.invitation })).status).toBe(200);
    for (const url of [spare.link, spare.invitation])
      expect((await request(other, { method: "GET", url })).status).toBe(404);
    const headers = { cookie: spare.cookie };
    const dashboard = await request(other, { method: "GET", url: "/console", headers });
    expect(dashboard.text).toContain('name="email"');
    // What readers see is all there.
    const page = { method: "GET", url: `/@tidewatch/${story.slug}` } as const;
    expect((await request(other, page)).status).toBe(200);
  });

  test("does not bring back what was removed after it, where a list says so", async () => {
    const { id } = story;
    const body = { payload: { title: "Corrected", body_markdown: "Better." }, change_summary: "Correction" };
    const read = (await agent.get(`/creations/${id}`)).json.data;
    const saved = await agent.send("PATCH", `/creations/${id}`, body, { ifMatch: read.lock_version });
    await publish(agent, saved.json.data);
    await removeContent(source.deps, COMMAND_LINE, read.latest_revision.id, "owner");
    const [heights] = await runSql(source, "SELECT id FROM creations WHERE slug = 'heights'");
    await runCreationCommand(source.deps, COMMAND_LINE, heights.id, "hide");
    await endAccount(source.deps, COMMAND_LINE, spare.ownerId);
    const list = source.deps.config.removalsFile;
    expect(await sweepRemovals(source.deps)).toBe(4);
    await appendFile(list, '{"id":');
    await runCreationCommand(source.deps, COMMAND_LINE, heights.id, "unhide");
    expect([await sweepRemovals(source.deps), await sweepRemovals(source.deps)]).toEqual([1, 0]);
    await runCreationCommand(source.deps, COMMAND_LINE, heights.id, "hide");
    await sweepRemovals(source.deps);
    const lines = (await readFile(list, "utf8")).trimEnd().split("\n");
    const other = await openService({ workers: false });
    const restore = (removals: string) =>
      restoreBackup(other.deps, other.databaseUrl, home(), { removals, keepCredentials: true });
    const broken = join(folder, "broken.ndjson");
    await writeFile(broken, `${lines[0]}\nsomething\n`);
    await expect(restore(broken)).rejects.toThrow(/Line 2/);
    await expect(restore(join(folder, "none.ndjson"))).rejects.toThrow(/cannot be read/);
    expect((await restore(list)).removed_again).toBe(5);
    const open = async (url: string) => (await request(other, { method: "GET", url })).status;
    expect([await open(`/@tidewatch/${story.slug}`), await open("/@tidewatch/heights")]).toEqual([404, 404]);
    const [row] = await runSql(
      other,
      `SELECT (SELECT payload IS NULL FROM creation_revisions WHERE id = $1) AS is_empty,
           (SELECT status FROM owners WHERE id = $2) AS status,
           (SELECT min(id) FROM audit_log WHERE detail ->> 'reason' LIKE 'Done again%') > $3 AS is_behind`,
      [read.latest_revision.id, spare.ownerId, JSON.parse(lines.at(-1) ?? "").id],
    );
    expect(row).toEqual({ is_empty: true, status: "left", is_behind: true });
  });

  test("is refused a place that is not empty", async () => {
    await expect(restoreBackup(target.deps, target.databaseUrl, home())).rejects.toThrow(
      /database is not empty/,
    );
    await expect(restoreBackup(target.deps, target.databaseUrl, folder)).rejects.toThrow(
      /no complete backup/,
    );
  });
});
