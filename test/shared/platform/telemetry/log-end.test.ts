import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";

const LOG = join(import.meta.dirname, "..", "..", "..", "..", "shared", "platform", "telemetry", "log.ts");
const LINES = 5_000;

// A process that writes more than a pipe holds at once, and ends at once.
const SCRIPT = `
  import { openLog } from ${JSON.stringify(LOG)};
  const log = openLog("info", "test");
  for (let place = 0; place < ${LINES}; place++) log.info({ place }, "Höhe 1,2 m 🌊");
  process.exit(0);
`;

const END = join(LOG, "..", "..", "process", "end-gracefully.ts");

// A process that ends while the one thread that writes its lines is busy with something else.
const BUSY_SCRIPT = `
  import { pbkdf2 } from "node:crypto";
  import { openLog } from ${JSON.stringify(LOG)};
  import { endGracefully } from ${JSON.stringify(END)};
  const log = openLog("info", "test");
  endGracefully({ name: "test", log, withinMs: 9_000 }, async () => undefined);
  setInterval(() => undefined, 1_000);
  pbkdf2("password", "salt", 200_000, 64, "sha512", () => undefined);
  process.kill(process.pid, "SIGTERM");
`;

/** The lines of a process, which ends well. */
async function runScript(script: string, env: NodeJS.ProcessEnv = {}) {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { place: number; msg: string });
}

test("the last line of a process comes behind one that is still being written", async () => {
  const lines = await runScript(BUSY_SCRIPT, { UV_THREADPOOL_SIZE: "1" });
  expect(lines.map(({ msg }) => msg)).toEqual(["test stopping", "test stopped"]);
});

test("the lines of the log leave a process whole, in order and before its end", async () => {
  const lines = await runScript(SCRIPT);
  expect(lines.map(({ place, msg }) => ({ place, msg }))).toEqual(
    Array.from({ length: LINES }, (_, place) => ({ place, msg: "Höhe 1,2 m 🌊" })),
  );
});
