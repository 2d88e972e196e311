import { readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import {
  identifyProcess,
  type ProcessIdentity,
  waitUntilGone,
} from "../../shared/platform/process/processes.ts";
import { DEEP } from "../support/depth.ts";
import { findOrphans, type ServiceProcess, startProcess, until } from "../support/service-process.ts";

const DEMO = join(import.meta.dirname, "..", "..", "cli", "demo.ts");
const TIMEOUT_MS = 360_000;

/** Starts the demonstration with an environment of its own. */
function startDemo(args: readonly string[], env: NodeJS.ProcessEnv = {}): ServiceProcess {
  const { PATH, TMPDIR, NODE_COMPILE_CACHE } = process.env;
  return startProcess({
    command: process.execPath,
    args: [DEMO, ...args],
    env: { PATH, TMPDIR, NODE_COMPILE_CACHE, ...env },
  });
}

function textOf(demo: ServiceProcess): string {
  return demo.lines.map((line) => line.text).join("\n");
}

/** The processes that a process has started itself. */
async function identifyChildren(pid: number): Promise<ProcessIdentity[]> {
  const numbers = (await readFile(`/proc/${pid}/task/${pid}/children`, "utf8")).trim().split(" ");
  const found = await Promise.all(numbers.map((number) => identifyProcess(Number(number))));
  return found.filter((one) => one !== null);
}

async function listDemoFolders(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith("broadsheet-demo-")).toSorted();
}

const SAID = [
  "an owner is made by command",
  "enrol redeems the code: @rainwatch waits for its owner",
  "confirms the claim",
  "publish --dry-run finds nothing against the folder",
  "publish puts front page, data, story and brief live: http://localhost:",
  "the same command again writes nothing: 4 requests",
  "the story is signed by the key that the client made for the agent",
  "say which figures hold: 4,426.0 mm holds, 4,178.6 mm holds, 1,460 days is 1,461 days now",
  "no number is typed: 1,460 days is 1,461 days",
  "rows with a filter are those that the story counts: 51 of 2922",
  "the agent's feed has every entry",
  "prove the folder by itself, and by a key of the log that was kept: 3 works, ",
];

test("the play holds from the first step to the last, stays up with a page to open, keeps a folder that was named, and can be played there again", {
  timeout: TIMEOUT_MS,
}, async () => {
  const dataDir = await makeTemporaryDataFolder("broadsheet-test-");
  try {
    const demo = startDemo([], { DATA_DIR: dataDir, DATABASE_URL: "postgres://a:b@127.0.0.1:1/never" });
    await until(() => textOf(demo).includes("Ctrl-C stops the service"), 60_000);
    const text = textOf(demo);
    for (const step of SAID) expect(text).toContain(step);
    expect(text).toMatch(/the transparency log has the story, and its proof holds: \d+ entries/);
    expect(text).toMatch(/\nEvery step held: \d{2} in \d+\.\d s\.$/m);
    expect(demo.lines.filter((line) => / ms {2}\S/.test(line.text)).length).toBeGreaterThanOrEqual(20);
    const rows = /Its rows {2,}(http\S+)/.exec(text)?.[1] ?? "";
    expect(await (await fetch(rows)).json()).toMatchObject({ data: { total: 2922 } });
    const story = /The story {2,}(http\S+)/.exec(text)?.[1] ?? "";
    expect(await (await fetch(story)).text()).toContain("Seattle rains often");
    expect(text).toMatch(/\/sign-in\/[\w-]{43} \(works once/);
    demo.child.kill("SIGINT");
    expect(await demo.ended).toEqual({ code: 0, signal: null });
    expect(await findOrphans(dataDir, [])).toEqual([]);

    expect(await readdir(dataDir)).toContain("postgres");
    if (!DEEP) return;
    const again = startDemo(["--once"], { DATA_DIR: dataDir });
    expect({ ...(await again.ended), stderr: again.stderr() }).toMatchObject({ code: 0 });
    expect(textOf(again)).toMatch(/@rainwatch-\d{4} waits for its owner/);
    expect(textOf(again)).toMatch(/\nEvery step held: \d{2} in \d+\.\d s\.$/);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

const LIMITS = [{ LIMIT_PUBLICATIONS_PER_DAY: "1" }];

test.for(DEEP ? LIMITS : [])(
  "a step that does not hold with %o is named, and the exit code is 1",
  { timeout: TIMEOUT_MS },
  async (limits) => {
    const before = await listDemoFolders();
    const demo = startDemo(["--once"], limits);
    expect(await demo.ended).toEqual({ code: 1, signal: null });
    expect(demo.stderr()).toContain('The step "publish --dry-run finds nothing against the folder" failed: ');
    expect(demo.stderr()).toContain("publication_limit");
    expect(textOf(demo)).not.toContain("Every step held");
    expect(await listDemoFolders()).toEqual(before);
  },
);

const STOPS = [
  ["SIGKILL", { code: null, signal: "SIGKILL" }],
  ["SIGTERM", { code: 1, signal: null }],
] as const;

test.for(DEEP ? STOPS : [])(
  "a play that %s stops in the middle did not hold",
  { timeout: TIMEOUT_MS },
  async ([signal, ended]) => {
    const before = await listDemoFolders();
    const demo = startDemo(["--once"]);
    await until(() => textOf(demo).includes("an owner is made by command"), 60_000);
    // One of them is the next command, which must not make the data folder anew.
    const children = await identifyChildren(demo.pid);
    demo.child.kill(signal);
    expect(await demo.ended).toEqual(ended);
    for (const child of children) expect(await waitUntilGone(child, 20_000)).toBe(true);
    await until(async () => (await listDemoFolders()).length === before.length, 20_000);
    expect(await listDemoFolders()).toEqual(before);
  },
);

test("a value of the environment that is wrong is named before anything starts", async () => {
  const demo = startDemo(["--once"], { PORT: "none" });
  expect(await demo.ended).toEqual({ code: 1, signal: null });
  expect(demo.stderr()).toBe("PORT cannot be used: a port number from 0 to 65535.\n");
});
