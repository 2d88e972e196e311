import { once } from "node:events";
import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { makeTemporaryDataFolder } from "../../cli/embedded/data-folder.ts";
import { choosePort } from "../../cli/embedded/port.ts";
import { openFolder } from "../support/close-afterwards.ts";
import { createTestDatabase } from "../support/cluster.ts";
import { some } from "../support/depth.ts";
import { startProcess, until } from "../support/service-process.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const FOLDER = "/nowhere/broadsheet";

/** Runs an entry file with an environment of its own to its end. */
async function runEntryFile(entry: string, args: readonly string[], env: NodeJS.ProcessEnv) {
  const { PATH, NODE_COMPILE_CACHE } = process.env;
  const started = startProcess({
    command: process.execPath,
    args: [join(ROOT, entry), ...args],
    env: { PATH, NODE_COMPILE_CACHE, DATA_DIR: FOLDER, ...env },
  });
  const { code } = await started.ended;
  return { code, told: started.stderr() };
}

/** Runs an entry file with wrong variables to its end. */
const runWrong = (entry: string, args: readonly string[] = []) =>
  runEntryFile(entry, args, {
    ...{ TRUST_PROXY: "yes", PORT: " ", SITE_URL: "https://example.org/news", LIMIT_CREATION: "9" },
  });

const ENTRIES = [
  ["cli/start.ts"],
  ["api/main.ts"],
  ["workers/main.ts"],
  ["cli/migrate.ts"],
  ["cli/main.ts", "sweep"],
];

test.each(some(ENTRIES, 3))(
  "%s tells every wrong variable and what it takes, and starts nothing",
  async (entry, ...args) => {
    const { code, told } = await runWrong(entry, args);
    expect(code).toBe(1);
    expect(told).toContain("PORT cannot be used: a port number from 0 to 65535.");
    expect(told).toMatch(/SITE_URL cannot be used: it has a path, [^.]+\. Write https:\/\/example\.org\./);
    expect(told).toMatch(/TRUST_PROXY cannot be used: true, false, or a list .+\. Did you mean true\?/);
    expect(told).toContain("Did you mean LIMIT_CREATIONS?");
    expect(existsSync(FOLDER)).toBe(false);
  },
);

test.each([
  ["cli/start.ts", "npm start"],
  ["api/main.ts", "npm run api"],
])("%s refuses words, which it would not read", async (entry, command) => {
  const { code, told } = await runWrong(entry, ["--port", "8080"]);
  expect([code, told]).toEqual([1, expect.stringContaining(`${command} takes no words, and got --port.`)]);
});

test("the workers ask for the one that was meant", async () => {
  const { code, told } = await runWrong("workers/main.ts", ["inspekt"]);
  expect([code, told]).toEqual([1, expect.stringContaining("Did you mean inspect?")]);
});

describe("variables of a version before are told in one warning, and stop nothing", () => {
  const GONE = { PAGE_SHORT_CUT: "off", SEARCH_SHORT_CUT: "off", BATCHED_READS: "" };
  const told = "Variables that do nothing any more are set: PAGE_SHORT_CUT, SEARCH_SHORT_CUT. Unset them.";

  const LINES = [
    ["cli/migrate.ts", '"applied"'],
    ["cli/main.ts topic list", '"agriculture"'],
    ["cli/main.ts doctor", '"mail"'],
    ["api/main.ts", "api listening"],
    ["cli/start.ts", "Broadsheet is ready"],
    ["workers/main.ts feed", "workers ready"],
  ] as const;

  test.each(some(LINES, 3))("%s goes on to say %s", async (line, said) => {
    const [entry = "", ...args] = line.split(" ");
    const database = await createTestDatabase();
    const DATA_DIR = await makeTemporaryDataFolder("broadsheet-test-");
    const env = {
      DATABASE_URL: database.url,
      DATA_DIR,
      PORT: String(await choosePort()),
      STOP_NOTICE_MS: "0",
    };
    const running = startProcess({
      command: process.execPath,
      args: [join(ROOT, entry), ...args],
      env: { ...process.env, ...env, ...GONE },
    });
    const output = () => running.lines.map(({ text }) => text).join("\n") + running.stderr();
    await until(() => output().includes(said) && output().includes(told), 60_000);
    running.child.kill("SIGTERM");
    await running.ended;
    expect(output().split(told)).toHaveLength(2);
    await rm(DATA_DIR, { recursive: true, force: true });
  });
});

describe("an address that cannot be used is told with its variable, and without a stack", async () => {
  const database = await createTestDatabase();
  const dataDir = await openFolder();

  const elsewhere = () => database.url.replace(/[^/]+$/, "nowhere");

  test.each(some(ENTRIES, 5))(
    "%s: a database that does not answer, or is not there",
    async (entry, ...args) => {
      const tell = async (DATABASE_URL: string) => {
        const { code, told } = await runEntryFile(entry, args, {
          DATABASE_URL,
          DATA_DIR: dataDir,
          PORT: "0",
        });
        expect([code, told]).toEqual([1, expect.not.stringContaining("at Parser")]);
        return told;
      };
      expect(await tell("postgres://a:b@127.0.0.1:1/c")).toContain("does not answer: check DATABASE_URL.");
      expect(await tell(elsewhere())).toContain("has no database of this name");
    },
  );

  const LISTENERS = [
    ["api/main.ts", "PORT"],
    ["api/main.ts", "OPERATORS_PORT"],
    ["workers/main.ts", "OPERATORS_PORT_WORKERS"],
  ] as const;

  test.each(some(LISTENERS, 2))("%s: %s where another program listens", async (entry, name) => {
    const squatter = createServer().listen(0, "127.0.0.1");
    await once(squatter, "listening");
    const { port } = squatter.address() as AddressInfo;
    const env = { DATABASE_URL: database.url, DATA_DIR: dataDir, PORT: "0", [name]: String(port) };
    const { code, told } = await runEntryFile(entry, [], env);
    squatter.close();
    const sentence = `Port ${port} on 127.0.0.1 is taken by another program: set ${name} to a free one.`;
    expect([code, told]).toEqual([1, expect.stringContaining(sentence)]);
  });
});
