import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { type Checker, provideChecker } from "./support/checkers.ts";
import { openFolder } from "./support/close-afterwards.ts";

// Each example of operators/ is read by its own program.
vi.setConfig({ testTimeout: 360_000 });

const ROOT = resolve(import.meta.dirname, "..");
const OPERATORS = join(ROOT, "operators");
/** What `systemd-analyze security` gives a unit at most: 10 is a process without any bounds. */
const MOST_EXPOSED = 2;
const folder = await openFolder();

/** Runs a checker, and shows what it says where it finds a fault; does nothing where it cannot be had. */
async function check(
  checker: Checker,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<string> {
  const program = await provideChecker(checker);
  if (program === null) return "";
  const ended = spawnSync(program, [...args], { encoding: "utf8", env: { ...process.env, ...env } });
  const said = `${ended.stdout}${ended.stderr}`;
  expect({ checker, status: ended.status, said: ended.status === 0 ? "" : said }).toEqual({
    ...{ checker, status: 0, said: "" },
  });
  return said;
}

/** The units, with this tree in the place of the installed one. */
function writeUnits(): string[] {
  const names = readdirSync(join(OPERATORS, "systemd")).filter((name) => !name.endsWith(".example"));
  for (const name of names) {
    const text = readFileSync(join(OPERATORS, "systemd", name), "utf8");
    writeFileSync(join(folder, name), text.replaceAll("/opt/broadsheet", ROOT));
  }
  return names.map((name) => name.replace("api@.", "api@3001.").replace("worker@.", "worker@inspect."));
}

test("systemd reads the units, and they leave the processes little", async () => {
  const units = writeUnits();
  expect(units).toHaveLength(6);
  const env = { SYSTEMD_UNIT_PATH: `${folder}:` };
  const said = await check(
    "systemd-analyze",
    ["verify", "--man=no", ...units.map((unit) => join(folder, unit))],
    env,
  );
  expect(said.split("\n").filter((line) => line.includes("broadsheet"))).toEqual([]);
  for (const unit of units.filter((name) => name.endsWith(".service"))) {
    const file = join(folder, unit.replace(/@\w+\./, "@."));
    const bounds = ["--offline=true", `--threshold=${MOST_EXPOSED * 10}`, "--no-pager"];
    await check("systemd-analyze", ["security", ...bounds, file], env);
  }
});

test("nginx reads its file", async () => {
  const made = spawnSync(
    "openssl",
    [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-days",
      "1",
      "-subj",
      "/CN=example.org",
      "-keyout",
      "key.pem",
      "-out",
      "cert.pem",
    ],
    { cwd: folder },
  );
  expect(made.status).toBe(0);
  const site = readFileSync(join(OPERATORS, "nginx.conf"), "utf8")
    .replace(/\/etc\S+fullchain\.pem/, join(folder, "cert.pem"))
    .replace(/\/etc\S+privkey\.pem/, join(folder, "key.pem"));
  writeFileSync(join(folder, "site.conf"), site);
  const whole = `pid ${folder}/pid; error_log stderr; events {} http { include ${folder}/site.conf; }`;
  writeFileSync(join(folder, "nginx.conf"), whole);
  await check("nginx", ["-t", "-p", folder, "-c", join(folder, "nginx.conf")]);
});

test("Caddy reads its file, which is formatted", async () => {
  const file = join(OPERATORS, "Caddyfile");
  const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder, HOME: folder };
  await check("caddy", ["validate", "--adapter", "caddyfile", "--config", file], env);
  const formatted = await check("caddy", ["fmt", file], env);
  if (formatted !== "") expect(formatted).toBe(readFileSync(file, "utf8"));
});

test("HAProxy reads the file for a machine, whose rules are those of the containers", async () => {
  const machine = readFileSync(join(OPERATORS, "haproxy-machine.cfg"), "utf8");
  const containers = readFileSync(join(OPERATORS, "haproxy.cfg"), "utf8");
  const rulesOf = (text: string) =>
    text
      .replace(/resolvers docker\n(?: {2}.*\n)+/, "")
      .split("\n")
      .map((line) => line.replace(" init-addr none resolvers docker", ""))
      .filter((line) => !/^\s*#|^$|^ {2}(?:bind|server|server-template) /.test(line));
  expect(rulesOf(machine)).toEqual(rulesOf(containers));
  await check("haproxy", ["-c", "-f", join(OPERATORS, "haproxy-machine.cfg")]);
});

test("Prometheus reads its file and the rules", async () => {
  const said = await check("promtool", ["check", "config", join(OPERATORS, "prometheus.yml")]);
  if (said !== "") expect(said).toContain("rules found");
});

test("cron's line is one that cron runs: five fields, a user, and no percent sign", () => {
  const lines = readFileSync(join(OPERATORS, "cron", "broadsheet"), "utf8").split("\n");
  const jobs = lines.filter((line) => /^[\d*]/.test(line));
  expect(jobs).toEqual([expect.stringMatching(/^(?:[\d*]+ ){5}broadsheet cd \/opt\/broadsheet && [^%]+$/)]);
  const [, command = ""] = /broadsheet (cd .+)$/.exec(jobs[0] ?? "") ?? [];
  expect(spawnSync("sh", ["-n", "-c", command]).status).toBe(0);
  expect(command).toContain("backup create --in /var/backups/broadsheet --keep 14");
});
