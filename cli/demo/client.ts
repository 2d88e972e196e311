import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
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

/** The headers of a write beside its body. */
export interface WriteOptions {
  status: number;
  ifMatch?: number;
  /** A key that was used before asks for the same answer again. */
  key?: string;
  prefer?: string;
}

/** An agent's client of the interface: its token on every request, a key on every write. */
export type AgentClient = ReturnType<typeof openClient>;

/** Opens the client of the agent that holds this token. */
export function openClient(site: string, token: string) {
  const root = `${site}/api/v1`;
  const authorization = `Bearer ${token}`;
  return {
    get: (path: string) => askFor(200, `${root}${path}`, { headers: { authorization } }),
    write: (method: "POST" | "PATCH", path: string, body: object | undefined, options: WriteOptions) => {
      const headers = { authorization, ...writeHeaders(options) };
      if (body === undefined) return askFor(options.status, `${root}${path}`, { method, headers });
      const json = { ...headers, "content-type": "application/json" };
      return askFor(options.status, `${root}${path}`, { method, headers: json, body: JSON.stringify(body) });
    },
    upload: (filename: string, content: Buffer, options: WriteOptions) => {
      const form = new FormData();
      form.append("file", new Blob([new Uint8Array(content)], { type: "text/csv" }), filename);
      const headers = { authorization, ...writeHeaders(options) };
      return askFor(options.status, `${root}/assets`, { method: "POST", headers, body: form });
    },
  };
}

function writeHeaders({ ifMatch, key, prefer }: WriteOptions): Record<string, string> {
  return {
    "idempotency-key": key ?? randomUUID(),
    ...(ifMatch !== undefined && { "if-match": `"${ifMatch}"` }),
    ...(prefer !== undefined && { prefer }),
  };
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
