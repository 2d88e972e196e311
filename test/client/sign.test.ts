import { createHash, createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { readdir, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import canonicalize from "canonicalize";
import { expect, onTestFinished, test } from "vitest";
import { startSweeps } from "../../workers/runner.ts";
import { connectAgent, type Json } from "../support/agent.ts";
import { openFolder } from "../support/close-afterwards.ts";
import { HARBOUR, writeFiles } from "./harbour.ts";
import { openStage, runClient, type Stage } from "./stage.ts";

const UNSIGNED = "This is not signed: no key of @tidewatch that counts is on this machine.";

const keysOf = async ({ agent }: Stage): Promise<Json[]> => (await agent.get("/agent/keys")).json.data.keys;
const worksOf = async ({ agent }: Stage): Promise<Json[]> =>
  await Promise.all(
    (await agent.get("/creations")).json.data.map(
      async ({ id }: Json) => (await agent.get(`/creations/${id}`)).json.data,
    ),
  );
const signaturesOf = async (stage: Stage) =>
  Object.fromEntries(
    (await worksOf(stage)).map(({ slug, latest_revision }) => [slug, latest_revision.signature]),
  );
const keyFiles = (home = "") => join(home, ".config", "broadsheet");

/** Whether the key of a signature signed a revision, as docs/keys says it. */
function isSigned({ id }: { id: string }, keys: Json[], { checksum, signature, disclosure }: Json): boolean {
  const { x } = keys.find(({ kid }) => kid === signature.kid);
  const { origin, models, tools, prompt_sha256, human_review, note } = disclosure;
  const said = canonicalize({ origin, models, tools, prompt_sha256, human_review, note }) ?? "";
  const disclosure_sha256 = disclosure.declared ? createHash("sha256").update(said).digest("hex") : null;
  const text = canonicalize({ agent: id, checksum, disclosure_sha256, v: 1 }) ?? "";
  const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
  return verify(null, Buffer.from(text), key, Buffer.from(signature.sig, "base64url"));
}

test("the first publish makes a key that stays on the machine, and signs each work and each update", async () => {
  const stage = await openStage();
  const sweeps = startSweeps(stage.service, ["inspect"]);
  onTestFinished(() => sweeps.stop());
  const disclosed =
    "---\ntype: brief\ndisclosure: { origin: assisted, note: Read twice. }\n---\nHigh water.\n";
  const folder = await writeFiles({ ...HARBOUR, "high-water.md": disclosed });
  await stage.client(folder, "publish", ".", "--dry-run");
  expect(await keysOf(stage)).toEqual([]);
  const first = await stage.client(folder, "publish", ".");
  expect([first.exit, first.stderr], first.stdout).toEqual([0, ""]);
  const [key, ...more] = await keysOf(stage);
  expect([key.ended_at, more]).toEqual([null, []]);
  const [file = "", ...others] = await readdir(keyFiles(stage.env.HOME));
  expect([file, others]).toEqual([`${stage.agent.id}.key.json`, []]);
  const path = join(keyFiles(stage.env.HOME), file);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const { d, x } = JSON.parse(await readFile(path, "utf8"));
  expect([x, (first.stdout + first.stderr).includes(d)]).toEqual([key.x, false]);
  for (const { latest_revision } of await worksOf(stage))
    expect([latest_revision.title, isSigned(stage.agent, [key], latest_revision)]).toEqual([
      latest_revision.title,
      true,
    ]);

  await writeFiles(
    { "november-surge.md": HARBOUR["november-surge.md"]?.replace("What two", "All that two") ?? "" },
    folder,
  );
  stage.requests.length = 0;
  expect((await stage.client(folder, "publish", ".")).json.works.map(({ did }: Json) => did)).toContain(
    "updated",
  );
  expect(stage.requests.filter(({ method }) => method === "PUT")).toEqual([]);
  const updated = (await worksOf(stage)).find(({ slug }) => slug === "november-surge");
  expect(updated.latest_revision.revision_number).toBe(2);
  expect(isSigned(stage.agent, [key], updated.latest_revision)).toBe(true);

  const rows = await writeFiles({ "more.csv": "station,day,height_m\nHusum,2026-11-20,3.90\n" });
  expect((await stage.client(folder, "append", "gauge", join(rows, "more.csv"))).exit).toBe(0);
  expect((await signaturesOf(stage)).gauge).toMatchObject({ kid: key.kid });
});

test("works that name each other are signed once they name all", async () => {
  const stage = await openStage();
  const text = (other: string) =>
    `---\ntitle: About ${other}\nreferences: [{ to: ${other}.md, relation: cites }]\n---\nSee it.\n`;
  const folder = await writeFiles({
    "profile.yml": HARBOUR["profile.yml"] ?? "",
    "one.md": text("two"),
    "two.md": text("one"),
  });
  const { exit, stdout } = await stage.client(folder, "publish", ".");
  expect(exit, stdout).toBe(0);
  const keys = await keysOf(stage);
  for (const { latest_revision } of await worksOf(stage))
    expect(isSigned(stage.agent, keys, latest_revision)).toBe(true);
});

test("keys that were made elsewhere stay, and what cannot be signed is published without", async () => {
  const stage = await openStage();
  const { d: _, ...jwk } = generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" });
  await stage.agent.send("PUT", "/agent/keys", { keys: [jwk] });
  const before = await keysOf(stage);
  const folder = await writeFiles(HARBOUR);
  const published = await stage.client(folder, "publish", ".");
  expect([published.exit, published.stderr.trim()]).toEqual([0, UNSIGNED]);
  expect(await keysOf(stage)).toEqual(before);
  expect(new Set(Object.values(await signaturesOf(stage)))).toEqual(new Set([null]));
  expect(await readdir(stage.env.HOME ?? "")).toEqual([]);
});

test("of machines that begin at once one makes the key, and the others end none", async () => {
  const stage = await openStage();
  const machines = await Promise.all(
    ["one", "two", "three"].map(async (name) => {
      const folder = await writeFiles({
        "profile.yml": HARBOUR["profile.yml"] ?? "",
        [`${name}.md`]: `---\ntype: brief\n---\nHigh water at gauge ${name}.\n`,
      });
      const env = { ...stage.env, HOME: await openFolder() };
      return async () => await runClient(stage.program, env, folder, ["publish", ".", "--draft"]);
    }),
  );
  const ended = await Promise.all(machines.map((publish) => publish()));
  const signed = ended.filter(({ stderr }) => !stderr.includes(UNSIGNED));
  const keys = await keysOf(stage);
  expect([keys.length, keys[0]?.ended_at, signed.length]).toEqual([1, null, 1]);
});

test("a key that was ended, or whose file is gone, signs nothing more, and is not made anew", async () => {
  const stage = await openStage();
  const folder = await writeFiles(HARBOUR);
  await stage.client(folder, "publish", ".");
  const update = async (summary: string) => {
    const text = HARBOUR["november-surge.md"]?.replace("What two gauges saw", summary) ?? "";
    return await stage.client(await writeFiles({ "november-surge.md": text }, folder), "publish", ".");
  };
  const [file = ""] = await readdir(keyFiles(stage.env.HOME));
  const path = join(keyFiles(stage.env.HOME), file);
  const kept = await readFile(path, "utf8");
  await rm(path);
  expect((await update("Without a file")).stderr).toContain(UNSIGNED);
  expect(await keysOf(stage)).toHaveLength(1);
  await writeFiles({ [file]: kept }, keyFiles(stage.env.HOME));
  expect((await update("With its file")).stderr).toBe("");
  expect((await signaturesOf(stage))["november-surge"]).not.toBeNull();
  await stage.agent.send("PUT", "/agent/keys", { keys: [] });
  expect((await update("After its end")).stderr).toContain(UNSIGNED);
  expect(await keysOf(stage)).toMatchObject([{ ended_at: expect.any(String) }]);
});

test("two runs at once make one key, and a token that may set none publishes without", async () => {
  const stage = await openStage();
  const folders = await Promise.all(
    ["one", "two"].map((name) =>
      writeFiles({
        [`${name}.md`]: `---\ntitle: ${name}\n---\nIt rose.\n`,
        "profile.yml": HARBOUR["profile.yml"] ?? "",
      }),
    ),
  );
  const ended = await Promise.all(folders.map((folder) => stage.client(folder, "publish", ".", "--draft")));
  expect(ended.map(({ exit }) => exit)).toEqual([0, 0]);
  expect(await keysOf(stage)).toMatchObject([{ ended_at: null }]);
  expect(Object.values(await signaturesOf(stage)).includes(null)).toBe(false);

  const abilities = ["agent:read", "creations:read", "creations:write", "assets:read", "assets:write"];
  const reader = await connectAgent(stage.service, { handle: "lowwater", abilities });
  const env = { ...stage.env, BROADSHEET_TOKEN: reader.token, HOME: await openFolder() };
  const folder = await writeFiles({ "one.md": "---\ntitle: One\n---\nIt fell.\n" });
  const { exit, stderr, stdout } = await runClient(stage.program, env, folder, ["publish", ".", "--draft"]);
  expect([exit, stderr.includes("@lowwater")], stdout).toEqual([0, true]);

  // Where no file can be kept, no key is told to the site either.
  const other = await connectAgent(stage.service, { handle: "midwater" });
  const nowhere = { ...env, BROADSHEET_TOKEN: other.token, HOME: stage.program };
  const next = await writeFiles({ "two.md": "---\ntitle: Two\n---\nIt fell.\n" });
  const unsigned = await runClient(stage.program, nowhere, next, ["publish", ".", "--draft"]);
  expect([unsigned.exit, unsigned.stderr.includes("@midwater")], unsigned.stdout).toEqual([0, true]);
  expect((await other.get("/agent/keys")).json.data.keys).toEqual([]);
});
