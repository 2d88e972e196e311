import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { dirname, join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { choosePort } from "../cli/embedded/port.ts";
import { type Checker, provideChecker } from "./support/checkers.ts";
import { closeAfterwards, openFolder } from "./support/close-afterwards.ts";
import { until } from "./support/service-process.ts";

// Each example of operators/ is read by its own program.
vi.setConfig({ testTimeout: 360_000 });

const ROOT = resolve(import.meta.dirname, "..");
const OPERATORS = join(ROOT, "operators");
/** What `systemd-analyze security` gives a unit at most: 10 is a process without any bounds. */
const MOST_EXPOSED = 2;
/** What cron gives a job. */
const CRON = { PATH: "/usr/sbin:/usr/bin:/sbin:/bin", HOME: "/root" };
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

const BODY = 13_000_000;

/** Two services that answer with a text, and with the size of a body. */
async function openBackends() {
  const ports = await Promise.all([1, 2].map(openBackend));
  const name = (text: string) =>
    text
      .replaceAll("127.0.0.1:3001", `127.0.0.1:${ports[0]}`)
      .replaceAll("127.0.0.1:3002", `127.0.0.1:${ports[1]}`);
  return { name };
}

async function openBackend(): Promise<number> {
  const server = createServer(async (request, response) => {
    let bytes = 0;
    for await (const chunk of request) bytes += chunk.length;
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify({ bytes, text: "tide ".repeat(1000) }));
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closeAfterwards(async () => void server.close());
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Runs a proxy for real: it packs texts, says so to caches, and passes on bodies that the service is to refuse. */
async function answersLargeBodies(
  checker: Checker,
  args: readonly string[],
  port: number,
  before = ":",
): Promise<void> {
  const program = await provideChecker(checker);
  if (program === null) return;
  const child = spawn("sh", ["-c", `${before} && exec "$0" "$@"`, program, ...args], { stdio: "ignore" });
  try {
    const ask = (init: RequestInit = {}) => fetch(`http://127.0.0.1:${port}/`, init).catch(() => null);
    await until(async () => (await ask())?.status === 200, 10_000);
    const { headers } = (await ask()) ?? new Response();
    expect([checker, headers.get("content-encoding"), headers.get("vary")]).toEqual([
      ...[checker, "gzip", "Accept-Encoding"],
    ]);
    const sent = await ask({ method: "POST", body: new Uint8Array(BODY) });
    expect([checker, sent?.status, await sent?.json()]).toMatchObject([checker, 200, { bytes: BODY }]);
    const owner = String(spawnSync("ps", ["-o", "user=", "-p", String(child.pid)]).stdout).trim();
    if (checker === "haproxy" && process.getuid?.() === 0) expect(owner).toBe("haproxy");
  } finally {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
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
  const backends = await openBackends();
  const port = await choosePort();
  writeFileSync(
    join(folder, "site.conf"),
    backends
      .name(site)
      .replace(/server \{\s+listen 80;[^}]+\}/, "")
      .replace(/ {4}listen \[.+\n/, "")
      .replace("443 ssl http2", String(port)),
  );
  await answersLargeBodies(
    "nginx",
    ["-p", folder, "-c", join(folder, "nginx.conf"), "-g", "daemon off;"],
    port,
  );
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
      .replace("  user haproxy\n  group haproxy\n  chroot /var/lib/haproxy\n", "")
      .replace(/resolvers docker\n(?: {2}.*\n)+/, "")
      .split("\n")
      .map((line) => line.replace(" init-addr none resolvers docker", ""))
      .filter((line) => !/^\s*#|^$|^ {2}(?:bind|server|server-template) /.test(line));
  expect(rulesOf(machine)).toEqual(rulesOf(containers));
  await check("haproxy", ["-c", "-f", join(OPERATORS, "haproxy-machine.cfg")]);
  const backends = await openBackends();
  const port = await choosePort();
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, backends.name(machine).replace("127.0.0.1:8080", `127.0.0.1:${port}`));
  // Under a limit of open files that is lower than the number in the file.
  await answersLargeBodies("haproxy", ["-db", "-f", file], port, "ulimit -n 4096");
});

test("Prometheus reads its file and the rules", async () => {
  const said = await check("promtool", ["check", "config", join(OPERATORS, "prometheus.yml")]);
  if (said !== "") expect(said).toContain("rules found");
});

test("cron's line reads the environment as root and makes the backup as the service's user", () => {
  const lines = readFileSync(join(OPERATORS, "cron", "broadsheet"), "utf8").split("\n");
  const [job = "", ...others] = lines.filter((line) => /^[\d*]/.test(line));
  expect(others).toEqual([]);
  const [, user = "", command = ""] = /^(?:[\d*]+ ){5}(\w+) ([^%]+)$/.exec(job) ?? [];
  expect(command).toContain("backup create --in /var/backups/broadsheet --keep 14");
  if (process.getuid?.() !== 0) return console.warn("LEFT OUT: only root can run cron's line.");
  const place = join(folder, "opt");
  mkdirSync(join(place, "node_modules", ".bin"), { recursive: true });
  const node = join(place, "node_modules", ".bin", "node");
  writeFileSync(node, '#!/bin/sh\nid -un >&2\necho "$DATABASE_URL $DATA_DIR $MAIL_FROM" >&2\n', {
    mode: 0o755,
  });
  const variables = join(folder, "broadsheet.env");
  const example = readFileSync(join(OPERATORS, "systemd", "broadsheet.env.example"), "utf8");
  writeFileSync(variables, example, { mode: 0o600 });
  for (const path of [folder, place, join(place, "node_modules"), dirname(node)]) chmodSync(path, 0o755);
  const here = command
    .replace("/opt/broadsheet", place)
    .replace("/etc/broadsheet/broadsheet.env", variables)
    .replace(/=broadsheet\b/g, "=65534");
  const as = user === "root" ? [] : ["--reuid=65534", "--regid=65534", "--clear-groups"];
  const { status, stderr } = spawnSync("setpriv", [...as, "sh", "-c", here], { encoding: "utf8", env: CRON });
  const wanted =
    "postgres://broadsheet:PASSWORD@127.0.0.1:5432/broadsheet /var/lib/broadsheet Broadsheet <mail@example.org>";
  expect([status, stderr]).toEqual([0, `nobody\n${wanted}\n`]);
});
