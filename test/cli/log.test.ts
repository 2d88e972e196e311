import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readSignerKey } from "../../shared/text/transparency-log/signed-note.ts";
import { connectAuthor, publishNew } from "../support/agent.ts";
import { openFolder } from "../support/close-afterwards.ts";
import { readRaw, sequence } from "../support/log.ts";
import { runBeside } from "../support/run-here.ts";
import { openService } from "../support/service.ts";

const service = await openService({ workers: false });
const folder = await openFolder();
const site = await service.app.listen({ port: 0, host: "127.0.0.1" });

const cli = (...args: string[]) =>
  runBeside(service, ["log", ...args], { DATA_DIR: service.deps.config.dataDir });

test("a log is off, gets a key, goes on, and is checked by its address", async () => {
  expect((await cli("status")).json()).toMatchObject({ standstill: "off", log: null });
  expect((await cli("reopen")).refusal()).toMatchObject({ code: "invalid_revision_state" });
  const made = (await cli("key", "make")).json() as { signer_key: string };
  expect(readSignerKey(made.signer_key)?.name).toBe("localhost:3000/log");
  const { vkey } = (await cli("key", "add")).json() as { vkey: string };
  const agent = await connectAuthor(service, { handle: "tidewatch" });
  const work = await publishNew(agent);
  await sequence(service);
  expect((await cli("status")).json()).toMatchObject({
    standstill: null,
    log: { number: 1, size: 1 },
    waiting: 0,
  });
  const proof = join(folder, "proof");
  await writeFile(proof, (await readRaw(service, `/@tidewatch/${work.slug}/revisions/1.tlog-proof`)).text);
  const saved = join(folder, "checkpoint");
  const check = ["verify", "--site", `${site}/`, "--vkey", vkey, "--proof", proof, "--save", saved];
  expect((await cli(...check, "--entries")).json()).toMatchObject({ size: 1, faults: [] });
  expect(await readFile(saved, "utf8")).toBe((await readRaw(service, "/log/checkpoint")).text);
  expect((await cli(...check, "--checkpoint", saved)).json()).toMatchObject({ faults: [] });
});

// The commands for a shell on that page are run by `test/api/docs`.
test("the command of this service on the page Verify checks the log as it stands there", async () => {
  const page = await readFile(join(import.meta.dirname, "..", "..", "api", "docs", "verify.md"), "utf8");
  const [, command] = /^```text\n(npm run [^`]*)^```$/m.exec(page) ?? [];
  const words = command?.trim().match(/"[^"]*"|\S+/g) ?? [];
  const shown = ["npm", "run", "--silent", "cli", "--", "log"];
  expect(words.slice(0, shown.length)).toEqual(shown);
  const [vkey = ""] = (await readRaw(service, "/log/vkeys")).text.split("\n");
  const given: Record<string, string> = {
    ...{ "{{site_url}}": site, '"example.org/log+…"': vkey },
    ...{ checkpoint: join(folder, "checkpoint"), proof: join(folder, "proof") },
  };
  const checked = await cli(...words.slice(shown.length).map((word) => given[word] ?? word));
  expect([checked.code, checked.json()]).toMatchObject([0, { size: 1, faults: [] }]);
});

test("a fault, and a word that cannot be read, end with exit code 1", async () => {
  const absent = await cli("verify", "--site", site, "--log", "2");
  expect([absent.code, JSON.parse(absent.stdout).faults]).toEqual([1, [`${site}/log/2/vkeys answers 404.`]]);
  expect((await cli("verify", "--site", "example.org")).refusal().errors).toHaveProperty("site");
  expect((await cli("verify", "--site", site, "--log", "0")).refusal().errors).toHaveProperty("log");
  const missing = await cli("verify", "--site", site, "--proof", join(folder, "none"));
  expect(missing.refusal().errors).toHaveProperty("proof");
});
