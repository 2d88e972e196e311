import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { choosePort } from "../../../cli/embedded/port.ts";
import { sweepLog } from "../../../shared/trust/transparency-log/sequence-log.ts";
import { request } from "../../support/agent.ts";
import { openFolder } from "../../support/close-afterwards.ts";
import { DEEP } from "../../support/depth.ts";
import { signInAgain } from "../../support/owner-dashboard.ts";
import { runBeside } from "../../support/run-here.ts";
import { openService } from "../../support/service.ts";

// Each block of commands in the README and on the pages for operators is run here, by another test, or named with the reason.
const PAGES = [
  "README.md",
  ...["self-hosting", "operators", "witnesses", "moving", "containers"].map((name) => `api/docs/${name}.md`),
];
const CLI = /^npm run --silent cli -- /;
const UNITS = "test/cli/units.deep.test.ts";
const ENGINE = "test/cli/engine.deep.test.ts";
const MOVING = "test/cli/moving.deep.test.ts";
const WITNESSES = "test/e2e/witnesses-page.test.ts";

/** Blocks by how they begin, and the test that does the same. */
const ELSEWHERE: readonly [string, string][] = [
  ["npm ci && npm run demo", "test/e2e/demo.test.ts"],
  ["npm ci && npm start", "test/e2e/start.test.ts"],
  ["npm ci\nnpm start", "test/e2e/start.test.ts"],
  ["SITE=http://localhost:3000 CODE=", "test/readme.test.ts"],
  ["npx -y ./broadsheet-", "test/cli/tarball.deep.test.ts"],
  ["useradd --system", UNITS],
  ["as_service() {", UNITS],
  ["replace() {", UNITS],
  ["mv /opt/broadsheet ", UNITS],
  ["systemctl start broadsheet-backup", UNITS],
  ["DATA_DIR=./restored npm run", MOVING],
  ["npm run --silent cli -- backup create --to /backups/move", MOVING],
  ["npm run --silent cli -- files copy --to 's3:", "test/shared/care/copy-store.test.ts"],
  ["npm install --no-save @opentelemetry", "test/cli/traces.deep.test.ts"],
  ...[
    "ORIGIN=$(",
    "npm run --silent cli -- log witness list",
    "npm run --silent cli -- witness log",
    "NAME=$(",
  ].map((start): [string, string] => [start, WITNESSES]),
  ["docker compose up\n", ENGINE],
  ["docker compose logs first", ENGINE],
  ["operators/upgrade.sh", ENGINE],
  ["docker compose build\ndocker compose stop", ENGINE],
  ["BROADSHEET_IMAGE=broadsheet docker compose", ENGINE],
  ["docker compose cp backup:", ENGINE],
  ["docker compose down\n", ENGINE],
  ["docker compose build\ndocker compose run", "operators/upgrade.sh"],
];

/** Blocks that no test runs. */
const NOT_RUN: readonly [string, string][] = [["claude mcp add", "needs Claude Code, and an account"]];

/** The blocks of commands of a page; what programs answer, and code, is no command. */
function listBlocks(page: string): string[] {
  const blocks = readFileSync(page, "utf8").matchAll(/^```(?:text|sh)\n([\s\S]*?)^```$/gm);
  return [...blocks].flatMap(([, block = ""]) => (/^(?:\{|import )/.test(block) ? [] : [block]));
}

const all = PAGES.flatMap((page) => listBlocks(page).map((block) => ({ page, block })));
const beginsWith =
  (block: string) =>
  ([start]: readonly [string, string]) =>
    block.startsWith(start);
const isElsewhere = (block: string) => [...ELSEWHERE, ...NOT_RUN].some(beginsWith(block));
const ownBlocks = all.filter(({ block }) => !isElsewhere(block));

test("a block of other commands than ours is run by a test that is there, or named", () => {
  expect(all.length).toBeGreaterThan(25);
  const unknown = ownBlocks.flatMap(({ page, block }) =>
    block
      .trim()
      .split("\n")
      .flatMap((line) => (CLI.test(line) ? [] : [`${page}: ${line}`])),
  );
  expect(unknown).toEqual([]);
  for (const [start, file] of ELSEWHERE) expect([start, existsSync(file)]).toEqual([start, true]);
  for (const each of [...ELSEWHERE, ...NOT_RUN])
    expect([each[0], all.some(({ block }) => beginsWith(block)(each))]).toEqual([each[0], true]);
});

const folder = await openFolder();
const port = await choosePort();
const siteUrl = `http://127.0.0.1:${port}`;
const service = await openService({ config: { siteUrl, port, signUp: "invite" } });
await service.app.listen({ port, host: "127.0.0.1" });
const email = "nora@example.org";
let answer = "";

/** What the page has done between its lines, by the line before which it is needed. */
const BEFORE: Record<string, () => Promise<unknown>> = {
  "code reissue": async () => {
    const payload = { enrollment_code: JSON.parse(answer).enrollment_code, handle: "tidewatch" };
    await request(service, { method: "POST", url: "/api/v1/agents", payload });
  },
  "invitation list": async () => {
    const browser = await signInAgain(service, { ownerId: "", email });
    await browser.post("/console/invitations", { invitee: "mara@example.net" });
  },
  "log verify": async () => await sweepLog(service.deps),
};

/** What ends with 1 here, and rightly: the database of tests may lose what it holds, the log stands nowhere still. */
const REFUSED: Record<string, string> = {
  doctor: "",
  "grant revoke": "There is no such connection.",
  "log reopen": "The log goes on.",
};

/** Whether a command is the first of these words; the rest are its options. */
const ofCommand = <T>(table: Record<string, T>, line: string) =>
  Object.entries(table).find(([words]) => line.includes(` ${words}`))?.[1];

/** The words of a line, with places and ids of this service. */
function readWords(line: string): string[] {
  const here = line
    .replace(CLI, "")
    .replaceAll("https://example.org", siteUrl)
    .replace(/ (?=\/backups| *saved\b)/g, ` ${folder}/`)
    .replace(/01[0-9A-HJKMNP-TV-Z]{24}/, (id) => /[0-9A-Z]{26}/.exec(answer)?.[0] ?? id);
  return execFileSync("bash", ["-c", `printf '%s\\n' ${here}`], { encoding: "utf8" })
    .trim()
    .split("\n");
}

async function runLine(line: string): Promise<void> {
  await ofCommand(BEFORE, line)?.();
  const env = { DATA_DIR: service.deps.config.dataDir, SITE_URL: siteUrl, SIGN_UP: "invite" };
  const { code, stdout, stderr } = await runBeside(service, readWords(line), env);
  const refused = ofCommand(REFUSED, line);
  if (refused !== undefined)
    return expect([line, code, stderr]).toEqual([line, 1, expect.stringContaining(refused)]);
  expect([line, code, stderr]).toEqual([line, 0, ""]);
  answer = stdout;
}

const pages = [...new Set(ownBlocks.map(({ page }) => page))].slice(0, DEEP ? undefined : 1);

describe.each(pages)("%s", (page) => {
  test.each(ownBlocks.filter((each) => each.page === page).map(({ block }) => block))("%s", async (block) => {
    for (const line of block.trim().split("\n")) await runLine(line);
  });
});
