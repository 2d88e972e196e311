import { chmod, cp, mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { expect, test, vi } from "vitest";
import { VERSION } from "../../shared/ground/version.ts";
import { closeAfterwards, openFolder } from "../support/close-afterwards.ts";
import { send } from "../support/http-agent.ts";
import { bootMachine, type Machine } from "../support/machine.ts";
import { readCommands } from "../support/page-commands.ts";
import { openFrontPage } from "../support/publisher.ts";
import { until } from "../support/service-process.ts";
import { startLoad } from "../support/steady-load.ts";
import { takeVersionBefore } from "../support/version-before.ts";

// The commands that the documentation shows for units, in their order, on a machine with systemd.
vi.setConfig({ testTimeout: 1_200_000 });

const ROOT = resolve(import.meta.dirname, "..", "..");
const SITE = "http://127.0.0.1:8080";
const REQUESTS = 3_000;
const CODE = ["api", "cli", "shared", "sql", "workers", "operators", ".npmrc", "LICENSE", "README.md"];
CODE.push("package.json", "package-lock.json");
const ENV = "/etc/broadsheet/broadsheet.env";
const LIMITS = [
  "READS_PER_MINUTE",
  "WRITES_PER_MINUTE",
  "PUBLIC_JSON_PER_MINUTE",
  "FEEDS_PER_MINUTE",
  "CREATIONS",
];
/** What the page says between its commands: passwords; here no mail server, and no limits for the load. */
const CONFIGURE = `
sed -i -e 's/broadsheet:PASSWORD@/broadsheet:t1des@/' -e 's/:PASSWORD@127.0.0.1:6379/127.0.0.1:6379/' \
  -e '/^SMTP_URL/d;/^MAIL_FROM/d' -e 's|^SITE_URL=.*|SITE_URL=${SITE}|' ${ENV}
printf 'LIMIT_%s=1000000\\n' ${LIMITS.join(" ")} >> ${ENV}`;

/** The commands as they are run here: the code is in a folder at hand. */
const here = (commands: string, code: string) =>
  commands
    .replace("git clone …", `cp -r /more/${code}`)
    .replace(/^install -D .*$/m, (line) => line + CONFIGURE);

/** A machine that finds this code at /more/new. */
async function boot(folder: string): Promise<Machine | null> {
  const machine = await bootMachine(folder);
  if (machine === null) return null;
  closeAfterwards(machine.stop);
  await mkdir(join(folder, "new"));
  for (const path of CODE) await cp(join(ROOT, path), join(folder, "new", path), { recursive: true });
  await machine.run(
    "cp /more/new/operators/haproxy-machine.cfg /etc/haproxy/haproxy.cfg; systemctl restart haproxy",
  );
  return machine;
}

/** An agent by the commands of the page; its token. */
async function connect(machine: Machine, asService: string): Promise<string> {
  const cli = async (words: string) =>
    JSON.parse(await machine.run(`${asService}as_service cli/main.ts ${words}`));
  await until(async () => (await fetch(`${SITE}/readyz`).catch(() => null))?.status === 200, 60_000);
  const issued = await cli("code issue --owner nora@example.org");
  const body = { enrollment_code: issued.enrollment_code, handle: "tidewatch", display_name: "Tide Watch" };
  const enrolled = await send(SITE, { method: "POST", path: "/api/v1/agents", body });
  await cli("claim confirm --agent @tidewatch");
  return enrolled.json.data.token;
}

/** Puts a front page and a story on the site. */
async function publish(token: string): Promise<void> {
  const { publishStory } = await openFrontPage(SITE, token);
  await publishStory("November surge", "The gauge rose.");
}

const AT_WORK =
  "systemctl list-units --plain --no-legend 'broadsheet-*@*' broadsheet-backup.timer | awk '{print $1, $4}'";

test("the commands of the page install a service that publishes, makes backups and goes on after a stop", async (context) => {
  const folder = await openFolder();
  const machine = await boot(folder);
  if (machine === null) return context.skip();
  const [install = "", asService = ""] = await readCommands(ROOT, "self-hosting", "## With systemd");
  await machine.run(here(install, "new"), "t1des\nt1des\n");
  await until(async () => (await fetch(`${SITE}/readyz`).catch(() => null))?.status === 200, 60_000);
  const said = await machine.run(asService);
  expect(said).not.toContain('"status":"fail"');
  expect(said).toMatch(/"url":"http:\/\/127\.0\.0\.1:8080\/sign-in\//);
  await publish(await connect(machine, `${asService.split("\nas_service")[0]}\n`));
  const units = (await machine.run(AT_WORK)).trim().split("\n");
  expect(units).toHaveLength(9);
  expect(units.filter((line) => !/ (?:running|waiting)$/.test(line))).toEqual([]);
  await machine.run("systemctl start broadsheet-backup && ls /var/backups/broadsheet/2*/manifest.json");
  await machine.run(
    "systemctl stop broadsheet.target; while curl --silent http://127.0.0.1:3001/healthz; do sleep 0.2; done",
  );
  await machine.run("systemctl start broadsheet.target");
  await until(async () => (await fetch(`${SITE}/@tidewatch`).catch(() => null))?.status === 200, 60_000);
});

test(`0.4.0 is upgraded by the commands of the page while ${REQUESTS} requests are sent, and none fails`, async (context) => {
  const folder = await openFolder();
  const before = await takeVersionBefore();
  const machine = before === null ? null : await boot(folder);
  if (before === null || machine === null) return context.skip();
  const filter = (path: string) => !path.includes("node_modules") && !path.endsWith("code.tar");
  await cp(before.folder, join(folder, "old"), { recursive: true, filter });
  // Git's archive lies in a folder of root alone.
  await chmod(join(folder, "old"), 0o755);
  await before.remove();
  const [install = "", asService = ""] = await readCommands(ROOT, "self-hosting", "## With systemd");
  const functions = `${asService.split("\nas_service")[0]}\n`;
  // That version's page left the role and the database to the operator.
  const [account, role, database] = install.split("\n");
  const [old = ""] = await readCommands(join(folder, "old"), "self-hosting", "## With systemd");
  const first = old.replace(`${account}\n`, `${account}\n${role}\n${database}\n`);
  await machine.run(here(first, "old"), "t1des\nt1des\n");
  await machine.run(`${functions}as_service cli/main.ts owner create --email nora@example.org`);
  const token = await connect(machine, functions);
  await publish(token);

  const [replace = "", move = "", upgrade = ""] = await readCommands(ROOT, "self-hosting", "### Units");
  const load = startLoad({ url: SITE, token, requests: REQUESTS });
  await machine.run(`${functions}${replace}${move}${here(upgrade, "new")}`);
  const told = await load.finish();
  expect(told.failed).toEqual([]);
  expect(told.answered).toBeGreaterThanOrEqual(REQUESTS);
  expect(await (await fetch(`${SITE}/healthz`)).json()).toMatchObject({ version: VERSION });
  const restarted = await machine.run("systemctl show 'broadsheet-*@*' --property=NRestarts | sort -u");
  expect(restarted.trim()).toBe("NRestarts=0");
  expect(
    await machine.run("journalctl --unit 'broadsheet-*' --output cat | grep -c 'unexpected failure' || true"),
  ).toBe("0\n");
  expect((await fetch(`${SITE}/@tidewatch/november-surge`)).status).toBe(200);
});
