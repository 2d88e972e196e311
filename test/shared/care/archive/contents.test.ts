import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { checksumOfRevision } from "../../../../shared/ground/checksum.ts";
import {
  connectAgent,
  type Json,
  makeCode,
  makeCreation,
  publishFrontPage,
  publishNew,
} from "../../../support/agent.ts";
import { download, openArchive, requestAndMake } from "../../../support/exports.ts";
import { uploadReady } from "../../../support/inspection.ts";
import { openDashboard } from "../../../support/owner-dashboard.ts";
import { openService } from "../../../support/service.ts";
import { runSql } from "../../../support/tables.ts";
import { makeDraftWithSchedule, makeRemovedContent, makeWorks } from "./owner-works.ts";

const ASYNC = { headers: { prefer: "respond-async" } };
const ODD = ["con.csv", "what?|*.csv", "水".repeat(200).concat(".csv"), ".csv", "same.csv", "same.csv"];

const service = await openService({ workers: false, limits: { processingUploads: 20 } });
const dashboard = await openDashboard(service, "Nora");
const stranger = await openDashboard(service, "Somebody Else");
const agent = await connectAgent(service, { ownerId: dashboard.ownerId, handle: "tidewatch" });
const second = await connectAgent(service, { ownerId: dashboard.ownerId, handle: "aux" });
const other = await connectAgent(service, { ownerId: stranger.ownerId, handle: "somebody-else" });
await publishFrontPage(agent, { introduction_markdown: "Heights, hourly.", about_markdown: "" });
await publishFrontPage(other);
await publishNew(other, { payload: { title: "Not yours", body_markdown: "Not yours." } });
await makeWorks(service, agent);
await makeCreation(second);
for (const [index, name] of ODD.entries()) await agent.upload(name, `a\n${index}\n`, ASYNC);
await uploadReady(service, second, "broken.csv", "a,b\n1\n");
await makeDraftWithSchedule(service, agent);
await makeRemovedContent(service, agent, stranger.ownerId);
const secrets = [dashboard.cookie.split("=")[1] ?? "", await makeCode(service, dashboard.ownerId)];
secrets.push(...[agent, second, other].map(({ token }) => token));
await runSql(
  service,
  `INSERT INTO invitations (id, owner_id, email, mailbox, secret_hash, created_at, expires_at)
     VALUES ('01M7WTZ900ZT61DVV9HAWP9BWR', $1, 'mara@example.net', 'mara@example.net', repeat('f', 64), $2, $2)`,
  [dashboard.ownerId, new Date(service.clock.nowMs)],
);
await runSql(
  service,
  `INSERT INTO passkeys (id, owner_id, credential_id, public_key, counter, transports, name, created_at)
     VALUES ('01M7WTZ900ZT61DVV9HAWP9BWP', $1, 'secret-credential', 'secret-key', 0, '{}', '=my phone', now())`,
  [dashboard.ownerId],
);
const row = await requestAndMake(service, dashboard);
const archive = await openArchive(service, dashboard, row.id);

const hashOf = (bytes: Buffer | string) => createHash("sha256").update(bytes).digest("hex");
const rowsOf = (text: string) => runSql(service, text, [dashboard.ownerId]);
const folder = (handle: string) => (handle === "aux" ? "agents/_aux" : `agents/${handle}`);

test("the download is the file that its row tells of, under a name of its day", async () => {
  const { status, headers, bytes } = await download(service, dashboard, row.id);
  expect([status, bytes.length, hashOf(bytes)]).toEqual([200, Number(row.bytes), row.sha256]);
  expect(headers).toMatchObject({
    "content-type": "application/zip",
    "content-length": String(row.bytes),
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  expect(headers["content-disposition"]).toContain('filename="broadsheet-2026-11-20.zip"');
});

test("the manifest lists every other entry with its size and hash, and no fault", () => {
  const { files, manifest } = archive;
  const listed = manifest.entries.map(({ path, bytes, sha256 }: Json) => [path, bytes, sha256]);
  const found = [...files].map(([path, bytes]) => [path, bytes.length, hashOf(bytes)]);
  expect(listed).toEqual(found.filter(([path]) => path !== "manifest.json"));
  expect(manifest).toMatchObject({ format: 1, owner_id: dashboard.ownerId, faults: [] });
  expect([...files.keys()][0]).toBe("README.txt");
});

test("every name can be unpacked everywhere", () => {
  const paths = [...archive.files.keys()];
  expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length);
  for (const part of paths.flatMap((path) => path.split("/"))) {
    expect(part).toMatch(/^[^<>:"\\|?*\p{Cc}\p{Cf}]+$/u);
    expect(part).not.toMatch(/^\.+$|[. ]$|^(con|nul)(\.|$)/i);
    expect(Buffer.byteLength(part)).toBeLessThanOrEqual(150);
  }
});

test("every stored file is there byte for byte, and every other is told of", async () => {
  const assets = await rowsOf(
    "SELECT s.*, a.handle FROM assets s JOIN agents a ON a.id = s.agent_id WHERE a.owner_id = $1",
  );
  expect(assets.length).toBe(ODD.length + 5);
  let stored = 0;
  for (const asset of assets) {
    const listed = archive
      .json(`${folder(asset.handle)}/files.json`)
      .find((one: Json) => one.asset_id === asset.id);
    expect(listed).toMatchObject({
      filename: asset.filename,
      readiness: asset.readiness,
      bytes: asset.bytes,
    });
    if (asset.file_deleted_at !== null) {
      expect(listed).toMatchObject({ path: null, readiness_reason: asset.readiness_reason });
      continue;
    }
    const bytes = await readStored(asset.id);
    expect(archive.files.get(listed.path)?.equals(bytes), asset.filename).toBe(true);
    stored++;
  }
  const inFiles = [...archive.files.keys()].filter((path) => /\/files\/.+\//.test(path));
  expect(inFiles.length).toBe(stored);
  expect(String(archive.files.get("agents/tidewatch/files.json"))).toContain("12345678901234567890");
});

async function readStored(id: string): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of service.deps.files.get(id)) chunks.push(chunk);
  return Buffer.concat(chunks);
}

test("every revision is there as it was saved, and its checksum can be recomputed from it", async () => {
  const revisions = await rowsOf(
    `SELECT r.*, r.payload::text AS text, c.slug, c.live_revision_id, a.handle
     FROM creation_revisions r JOIN creations c ON c.id = r.creation_id JOIN agents a ON a.id = c.agent_id
     WHERE a.owner_id = $1`,
  );
  expect(revisions.length).toBe(11);
  for (const saved of revisions) {
    const slug = saved.slug === "nul" ? "_nul" : saved.slug;
    const start = `${folder(saved.handle)}/works/${slug}/revisions/${saved.revision_number}`;
    const told = archive.json(`${start}.json`);
    expect(told).toMatchObject({
      id: saved.id,
      state: saved.state,
      live: saved.id === saved.live_revision_id,
    });
    if (saved.text === null) {
      expect(told).toMatchObject({ payload: null, content_removed_by: saved.content_removed_by, files: [] });
      continue;
    }
    expect(String(archive.files.get(`${start}.json`))).toContain(saved.text);
    const hashes = told.files.map((file: Json) => hashOf(archive.files.get(file.path) ?? ""));
    expect(checksumOfRevision(told.payload, hashes)).toBe(saved.checksum);
    const text = told.payload.body_markdown ?? "";
    expect(String(archive.files.get(`${start}.md`) ?? "")).toBe(text);
  }
});

test("a revision has the rows of its charts, its figures, the pins of its references, and what it changed", () => {
  const { charts, figures, references } = archive.json("agents/tidewatch/works/story/revisions/1.json");
  const asked = { asset_id: expect.any(String), content_sha256: expect.stringMatching(/^[0-9a-f]{64}$/) };
  const rows = { format: "csv", columns: ["station", "mean_m"], rows: [["Husum", 4.12]] };
  expect(charts).toEqual([{ number: 1, ...asked, question: expect.any(Object), rows, rows_found: 1 }]);
  expect(figures).toEqual([
    {
      ...{ text: "4.12", ...asked, value: "4.12", checked_at: expect.any(String) },
      question: { blank: [], aggregate: [{ op: "max", column: "height_m", as: "max_height_m" }] },
    },
  ]);
  const pinned = { revision_number: 1, checksum: expect.any(String) };
  expect(references).toEqual([{ creation_id: expect.any(String), relation: "uses", pinned }]);
  const dataset = (number: number) => archive.json(`agents/tidewatch/works/heights/revisions/${number}.json`);
  expect(dataset(1).data_changes).toBeNull();
  expect(dataset(2).data_changes).toMatchObject([{ label: "Heights", rows: { added: 1, removed: 0 } }]);
});

test("works, schedules, profiles, records and decisions are told as the console tells them", () => {
  const { json, files } = archive;
  expect(json("agents/tidewatch/works/_nul/creation.json")).toMatchObject({
    slug: "nul",
    visibility: "private",
    schedules: [{ status: "pending" }],
  });
  const hidden = json("agents/tidewatch/works/regretted/creation.json");
  expect([hidden.public_url, hidden.hidden_at]).toEqual([null, expect.any(String)]);
  expect(json("agents/tidewatch/profile/1.json").profile.display_name).toBe("Tide Watch");
  expect(String(files.get("agents/tidewatch/profile/1-introduction.md"))).toBe("Heights, hourly.");
  expect(files.has("agents/tidewatch/profile/1-about.md")).toBe(false);
  expect(json("agents/_aux/agent.json").tokens[0].prefix).toMatch(/^bst_\w{4}$/);
  expect(json("owner.json")).toMatchObject({ alias: "Nora", passkeys: [{ name: "=my phone" }] });
  expect(json("owner.json").invitations).toEqual([
    expect.objectContaining({ email: "mara@example.net", state: "expired", used_at: null }),
  ]);
  const lines = String(files.get("audit.ndjson")).trim().split("\n");
  const actions = lines.map((line) => JSON.parse(line).action);
  expect(actions).toEqual(expect.arrayContaining(["export.order", "creation.publish", "owner.sign_in"]));
  const records = String(files.get("audit.csv")).match(/^"\d{4}-/gm);
  expect(records?.length).toBe(lines.length);
  const decisions = String(files.get("decisions.ndjson"));
  expect(decisions).toContain("It is somebody else's.");
  expect(decisions).toContain('"who":"moderator"');
});

test("no secret, no hash of one, nothing removed and nothing of anybody else is in it", async () => {
  const hashes = await runSql(
    service,
    `SELECT secret_hash AS hash FROM tokens UNION SELECT secret_hash FROM sessions UNION SELECT code_hash FROM enrollments
     UNION SELECT secret_hash FROM claims UNION SELECT secret_hash FROM sign_in_links
     UNION SELECT secret_hash FROM invitations`,
  );
  expect(hashes.length).toBeGreaterThan(10);
  const ids = await runSql(
    service,
    "SELECT id FROM agents WHERE owner_id = $1 UNION SELECT c.id FROM creations c JOIN agents a ON a.id = c.agent_id WHERE a.owner_id = $1",
    [stranger.ownerId],
  );
  const never = [
    ...secrets,
    ...hashes.map(({ hash }) => hash),
    ...ids.map(({ id }) => id),
    ...["secret-credential", "secret-key", "Unspeakable", "Not yours", "somebody-else", "Somebody Else"],
    ...[stranger.email, stranger.ownerId],
  ];
  const whole = Buffer.concat([...archive.files.values()]).toString();
  expect(never.filter((secret) => secret === "" || whole.includes(secret))).toEqual([]);
});

test("a file that is gone from the store is told of, and the rest is whole", async () => {
  const [{ id }] = await rowsOf(
    "SELECT s.id FROM assets s JOIN agents a ON a.id = s.agent_id WHERE a.owner_id = $1 AND s.filename = 'con.csv'",
  );
  await service.deps.files.delete(id);
  const next = await requestAndMake(service, dashboard);
  const { manifest, files } = await openArchive(service, dashboard, next.id);
  expect(manifest.faults).toEqual([
    {
      asset_id: id,
      path: `agents/tidewatch/files/${id}/_con.csv`,
      fault: "It is missing from the file store.",
    },
  ]);
  expect(files.size).toBe(archive.files.size - 1);
});
