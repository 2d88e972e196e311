import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";

const ROOT = join(import.meta.dirname, "..", "..", "..", "..");
const LINES = 5_000;

// A process that writes lines of both kinds in turn, more than a pipe holds at once, and ends at once.
const SCRIPT = `
  import { openLog } from ${JSON.stringify(join(ROOT, "shared", "platform", "telemetry", "log.ts"))};
  import { openLineBatch } from ${JSON.stringify(join(ROOT, "shared", "platform", "telemetry", "line-batch.ts"))};
  const log = openLog("info", "test");
  const batch = openLineBatch(log);
  for (let place = 0; place < ${LINES}; place++) {
    batch.add(JSON.stringify({ place, msg: "Höhe 1,2 m 🌊" }) + "\\n");
    if (place % 500 !== 499) continue;
    batch.flush();
    log.info({ place }, "überall");
  }
  process.exit(0);
`;

test("lines in bytes and lines of the log leave a process whole, in order and before its end", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", SCRIPT], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  const told = text.trimEnd().split("\n");
  const lines = told.map((line) => JSON.parse(line) as { place: number; msg: string });
  const expected = Array.from({ length: LINES }, (_, place) =>
    place % 500 === 499
      ? [
          { place, msg: "Höhe 1,2 m 🌊" },
          { place, msg: "überall" },
        ]
      : [{ place, msg: "Höhe 1,2 m 🌊" }],
  ).flat();
  expect(lines.map(({ place, msg }) => ({ place, msg }))).toEqual(expected);
});
