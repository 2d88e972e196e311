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

test("the lines of the log leave a process whole, in order and before its end", async () => {
  const child = spawn(process.execPath, ["--input-type=module", "--eval", SCRIPT], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  let text = "";
  child.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { place: number; msg: string });
  expect(lines.map(({ place, msg }) => ({ place, msg }))).toEqual(
    Array.from({ length: LINES }, (_, place) => ({ place, msg: "Höhe 1,2 m 🌊" })),
  );
});
