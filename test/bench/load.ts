import { execFile, spawnSync } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The generator of the requests: wrk where it is installed, else a client of our own in its own process. */
export const GENERATOR = spawnSync("wrk", ["-v"]).error === undefined ? "wrk" : "own client";

/** Answers a second of one address under so many connections; throws where any answer was no answer. */
export async function load(
  url: string,
  options: { connections: number; seconds: number; headers: readonly string[] },
): Promise<number> {
  const { connections, seconds, headers } = options;
  if (GENERATOR === "wrk") {
    const more = headers.flatMap((header) => ["-H", header]);
    const { stdout } = await run("wrk", ["-t1", `-c${connections}`, `-d${seconds}s`, ...more, url]);
    if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`the load on ${url} met errors:\n${stdout}`);
    return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
  }
  const client = join(import.meta.dirname, "load-client.ts");
  const args = [client, url, String(connections), String(seconds), ...headers];
  const { stdout } = await run(process.execPath, args);
  const { perSecond, refused } = JSON.parse(stdout) as { perSecond: number; refused: number };
  if (refused > 0) throw new Error(`the load on ${url} met ${refused} other answers`);
  return perSecond;
}
