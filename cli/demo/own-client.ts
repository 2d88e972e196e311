import { execFile } from "node:child_process";
import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { z } from "zod";
import { Report } from "./answers.ts";
import { askFor } from "./client.ts";
import { hold } from "./steps.ts";

export const EXAMPLES = join(import.meta.dirname, "..", "..", "examples");
const run = promisify(execFile);

/** An agent's place: the client that the site serves, a folder of works to publish, and a home for the token. */
export type OwnClient = Awaited<ReturnType<typeof openOwnClient>>;

/** Makes a copy of the example beside the site's client, both in a folder of their own. */
export async function openOwnClient(site: string, home: string) {
  const folder = join(home, "rainwatch");
  await mkdir(home, { recursive: true });
  await cp(join(EXAMPLES, "rainwatch"), folder, { recursive: true });
  const moved = await askFor(307, `${site}/client.tgz`);
  const packed = await askFor(200, new URL(moved.headers.get("location") ?? "", site).href);
  await writeFile(join(home, "client.tgz"), packed.bytes);
  await run("tar", ["-xzf", "client.tgz"], { cwd: home });
  const program = join(home, "package", "main.js");
  const env = { PATH: process.env.PATH, HOME: home };
  const tryTo = async (args: readonly string[]) => {
    const ended = await run(process.execPath, [program, ...args], { cwd: folder, env }).catch(
      (error) => error,
    );
    const printed: string = ended.stdout ?? "";
    return { exit: Number(ended.code ?? 0), json: printed === "" ? null : JSON.parse(printed) };
  };
  /** Runs a command that must be done, and reads what it prints. */
  const read = async <Schema extends z.ZodType>(schema: Schema, ...args: string[]) => {
    const { exit, json } = await tryTo(args);
    hold(exit === 0, `it ended with ${exit}: ${JSON.stringify(json?.errors ?? json)}`);
    return schema.parse(json);
  };
  const call = <Schema extends z.ZodType>(schema: Schema, method: string, path: string, ...more: string[]) =>
    read(schema, "call", method, path, ...more);
  return { folder, tryTo, read, call, report: (...args: string[]) => read(Report, ...args) };
}
