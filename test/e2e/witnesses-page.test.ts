import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { choosePort } from "../../cli/embedded/port.ts";
import { checkWitnessedLogs, checkWitnesses } from "../../shared/care/doctor/work.ts";
import { send } from "../support/http-agent.ts";
import { makeLogKey } from "../support/log.ts";
import { readCommands } from "../support/page-commands.ts";
import { openPublisher } from "../support/publisher.ts";
import { openServiceOfRun } from "../support/real-service.ts";
import { until } from "../support/service-process.ts";
import { runSql } from "../support/tables.ts";

// The commands of the page Witnesses, by a shell, on two sites of their own.

const ROOT = join(import.meta.dirname, "..", "..");
const WITHIN_MS = 30_000;
const ports = [await choosePort(), await choosePort()] as const;
const urlOf = (port: number) => `http://127.0.0.1:${port}`;

async function openSite(name: string, port: number, other: number) {
  const env = {
    SITE_URL: `https://${name}.example`,
    ...{ LOG_KEY: makeLogKey(`${name}.example/log`), LOG_QUORUM: "1", WITNESS: "on" },
    OUTBOUND_ALLOW: `witness=127.0.0.1:${other}`,
  };
  const service = await openServiceOfRun(env);
  await Promise.all([service.startApi({ port }), service.startWorkers(["deliver"])]);
  const writer = await openPublisher(service.deps, urlOf(port), `writer-${name}`);
  const known: Record<string, string> = { SITE: urlOf(port), OTHER: urlOf(other) };
  return {
    service,
    known,
    url: urlOf(port),
    publish: async () => await writer.publishStory("Surge", "The gauge rose."),
    /** Runs a block of the page; variables that it sets are known to the next. */
    async run(block = ""): Promise<string> {
      const names = ["ORIGIN", "LOG_VKEY", "WITNESS_VKEY", "NAME"];
      const script = `set -euo pipefail\n${block}\nfor n in ${names.join(" ")}; do echo "$n=\${!n-}"; done >&2`;
      const { stdout, stderr } = await promisify(execFile)("bash", ["-c", script], {
        cwd: ROOT,
        env: {
          ...process.env,
          ...env,
          ...known,
          DATABASE_URL: service.databaseUrl,
          DATA_DIR: service.dataDir,
        },
      });
      for (const line of stderr.trim().split("\n")) {
        const [, set = "", value = ""] = /^([A-Z_]+)=(.+)$/.exec(line) ?? [];
        if (names.includes(set)) known[set] = value;
      }
      return stdout;
    },
  };
}
type Site = Awaited<ReturnType<typeof openSite>>;

const [vouching = ""] = await readCommands(ROOT, "witnesses", "## Vouch for each other");
const [looking = ""] = await readCommands(ROOT, "witnesses", "## Look whether it works");
const [reopening = "", taking = ""] = await readCommands(ROOT, "witnesses", "## After a restore");
const [parting = ""] = await readCommands(ROOT, "witnesses", "## Part");

const isOn = async ({ url }: Site) => (await send(url, { path: "/log/checkpoint" })).status === 200;
const isSigned = async ({ service }: Site) =>
  /^1 of 1 have/.test((await checkWitnesses(service.deps))[0]?.detail ?? "");

test("two sites vouch for each other by the commands of the page, through a restore, and part", {
  timeout: 300_000,
}, async () => {
  const north = await openSite("north", ports[0], ports[1]);
  const south = await openSite("south", ports[1], ports[0]);
  const sites = [north, south];
  for (const site of sites) await site.publish();
  for (const site of sites) await until(() => isOn(site), WITHIN_MS);
  await Promise.all(sites.map((site) => site.run(vouching)));
  for (const site of sites) {
    await until(() => isSigned(site), WITHIN_MS);
    const proven = await site.run(looking);
    expect(proven).toContain("1 of the witnesses signed the checkpoint.");
    expect(await checkWitnessedLogs(site.service.deps)).toMatchObject([{ status: "ok" }]);
  }

  await runSql(south.service, "UPDATE witnessed_logs SET restored_at = now()");
  await north.publish();
  await until(async () => (await checkWitnesses(north.service.deps))[0]?.status === "warn", WITHIN_MS);
  expect(await checkWitnessedLogs(south.service.deps)).toMatchObject([
    { status: "fail", mend: expect.stringContaining('witness log reopen "north.example/log"') },
  ]);
  north.known.WITNESS_VKEY = (await south.run(reopening)).trim();
  await north.run(taking);
  await until(() => isSigned(north), WITHIN_MS);
  expect(await checkWitnessedLogs(south.service.deps)).toMatchObject([{ status: "ok" }]);

  south.known.NAME = "north.example/witness";
  await Promise.all(sites.map((site) => site.run(parting)));
  for (const site of sites) {
    expect(await checkWitnesses(site.service.deps)).toMatchObject([
      { detail: expect.stringMatching(/^0 of 0/) },
    ]);
    expect(await checkWitnessedLogs(site.service.deps)).toMatchObject([
      { detail: expect.stringMatching(/^0 of 0/) },
    ]);
  }
});

test("the alert that the page names is there", () => {
  expect(readFileSync(join(ROOT, "operators", "alerts.yml"), "utf8")).toContain("BroadsheetWitnessBehind");
});
