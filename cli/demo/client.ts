import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { z } from "zod";
import { hold } from "./steps.ts";

const ANSWERS_WITHIN_MS = 30_000;

/** An answer with its bytes read. */
export interface Answer {
  status: number;
  headers: Headers;
  bytes: Buffer;
  text: string;
}

/** One request over HTTP; redirects are left to the caller, as cookies are. */
export async function ask(url: string, init: RequestInit = {}): Promise<Answer> {
  const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
  const response = await fetch(url, { redirect: "manual", signal, ...init });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, text: bytes.toString("utf8") };
}

/** Sends one request whose answer must have this status. */
export async function askFor(status: number, url: string, init: RequestInit = {}): Promise<Answer> {
  const answer = await ask(url, init);
  hold(
    answer.status === status,
    `${init.method ?? "GET"} ${url} answered ${answer.status}, not ${status}: ${answer.text.slice(0, 300)}`,
  );
  return answer;
}

/** Reads an answer's JSON by the schema that it must have. */
export function readJson<Schema extends z.ZodType>(answer: Answer, schema: Schema): z.infer<Schema> {
  return schema.parse(JSON.parse(answer.text));
}

const PROGRAM = join(import.meta.dirname, "..", "main.ts");
const run = promisify(execFile);

/** Runs an operator's command as a process of its own, as `npm run --silent cli -- …` does, and reads what it prints. */
export type RunCli = <Schema extends z.ZodType>(
  schema: Schema,
  args: readonly string[],
) => Promise<z.infer<Schema>>;

/**
 * Runs commands on the service's database, by its address and not by the data folder: a command that still
 * ran after the service had stopped would start a PostgreSQL of its own there.
 */
export function openCli(env: NodeJS.ProcessEnv, databaseUrl: string): RunCli {
  const surroundings = { ...env, DATABASE_URL: databaseUrl };
  return async (schema, args) => {
    const { stdout } = await run(process.execPath, [PROGRAM, ...args], { env: surroundings });
    return schema.parse(JSON.parse(stdout));
  };
}
