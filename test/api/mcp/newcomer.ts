import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/client/validators/ajv";
import type { Json } from "../../support/agent.ts";
import { openFolder } from "../../support/close-afterwards.ts";

const COMES_TRUE_WITHIN_MS = 20_000;

/** What a newcomer makes up itself for a call; a function sees what was answered before. */
export type Idea = object | ((last: (tool: string) => Json) => object);

/**
 * A program in place of a model that knows nothing of the service: which tool comes next, it reads in a prompt; what an
 * argument holds, in the argument's description; how a file is uploaded, in the line that a tool answers with.
 */
export interface Newcomer {
  /** Names of the prompts that are offered. */
  prompts: string[];
  call(tool: string, idea?: Idea): Promise<Json>;
  /**
   * Walks the numbered steps of a prompt with an idea for each tool; null leaves a tool out. A step that says to run
   * data.curl runs the line that create_upload answered with, beside the file.
   */
  follow(
    prompt: string,
    values: Record<string, string>,
    ideas: Record<string, Idea | null>,
    file?: File,
  ): Promise<void>;
  close(): Promise<void>;
}

/** One answer, with the tool that gave it. */
interface Heard {
  tool: string;
  answer: Json;
}

/** Connects with a token and reads what is offered. */
export async function openNewcomer(url: string, token: string): Promise<Newcomer> {
  const client = new Client({ name: "newcomer", version: "1" });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  const tools = new Map(
    (await client.listTools()).tools.map((tool) => [tool.name, tool.inputSchema as Json]),
  );
  const heard: Heard[] = [];
  const validators = new AjvJsonSchemaValidator();

  const last = (name: string): Json => heard.find(({ tool }) => tool === name)?.answer;
  const call = async (name: string, idea: Idea = {}): Promise<Json> => {
    const schema = tools.get(name);
    if (schema === undefined) throw new Error(`${name} is not offered`);
    const args = complete(schema, typeof idea === "function" ? idea(last) : idea, heard);
    const { valid, errorMessage } = validators.getValidator(schema)(args);
    if (!valid) throw new Error(`${name} is not called as its schema says: ${errorMessage}`);
    const result = (await client.callTool({ name, arguments: args })) as Json;
    if (result.isError) throw new Error(`${name} with ${JSON.stringify(args)}: ${result.content[0].text}`);
    const answer = JSON.parse(result.content[0].text);
    heard.unshift({ tool: name, answer });
    return answer;
  };

  const takeStep = async (step: string, ideas: Record<string, Idea | null>) => {
    for (const { name, words } of findTools(step, tools)) {
      const idea = ideas[name] === undefined ? {} : ideas[name];
      if (idea === null) continue;
      const told = readArguments(words, tools.get(name), heard);
      const isEnough = readCondition(words);
      const start = performance.now();
      while (!isEnough(await call(name, { ...told, ...(typeof idea === "function" ? idea(last) : idea) }))) {
        if (performance.now() - start > COMES_TRUE_WITHIN_MS)
          throw new Error(`${name} never answered ${words}`);
        await delay(50);
      }
    }
  };

  return {
    prompts: (await client.listPrompts()).prompts.map(({ name }) => name),
    call,
    follow: async (prompt, values, ideas, file) => {
      const { messages } = (await client.getPrompt({ name: prompt, arguments: values })) as Json;
      const lines: string[] = messages[0].content.text.split("\n");
      for (const step of lines.filter((line) => /^\d+\. /.test(line))) {
        await takeStep(step, ideas);
        if (file === undefined || !/\brun data\.curl\b/.test(step)) continue;
        heard.unshift({ tool: "upload", answer: await runLine(last("create_upload").data.curl, file) });
      }
    },
    close: async () => await client.close(),
  };
}

/** The tools that a step names, each with the words up to the next one. */
function findTools(step: string, tools: ReadonlyMap<string, Json>): { name: string; words: string }[] {
  const named = [...step.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)].filter(([name]) => tools.has(name));
  return named.map(({ 0: name, index }, turn) => ({
    name,
    words: step.slice(index, named[turn + 1]?.index),
  }));
}

/** What a step waits for: "until readiness is ready"; nothing in most. */
function readCondition(words: string): (answer: Json) => boolean {
  const [, member = "", value] = /\buntil (\w+) is (\w+)/.exec(words) ?? [];
  return (answer) => value === undefined || answer.data[member] === value;
}

/** What a step says of arguments: "type story", "page charts", "data.public_url as url". */
function readArguments(words: string, schema: Json, heard: readonly Heard[]): object {
  const told: Record<string, unknown> = {};
  for (const [name, { type }] of Object.entries<Json>(schema.properties)) {
    const value =
      type === "string" ? new RegExp(`(?<![.\\w])${name} ([a-z][\\w-]*)`).exec(words)?.[1] : undefined;
    if (value !== undefined) told[name] = value;
    const path = new RegExp(`(data\\.[\\w.]+) as ${name}\\b`).exec(words)?.[1];
    if (path !== undefined) told[name] = recall(path, heard);
  }
  return told;
}

/** Fills in what a schema requires and an idea leaves out, from where the description says that it comes. */
function complete(schema: Json, idea: Json, heard: readonly Heard[]): Json {
  if (Array.isArray(idea)) return idea.map((item) => complete(schema.items, item, heard));
  if (typeof idea !== "object" || idea === null) return idea;
  const full = { ...idea };
  for (const [name, member] of Object.entries<Json>(schema?.properties ?? {})) {
    if (full[name] !== undefined) full[name] = complete(member, full[name], heard);
    else if (schema.required?.includes(name)) full[name] = derive(name, member, heard);
  }
  return full;
}

function derive(name: string, { format, description = "" }: Json, heard: readonly Heard[]): unknown {
  if (format === "uuid") return randomUUID();
  const path = /^(?:data\.[\w.]*\w|\w+(?= of the last answer))/.exec(description)?.[0];
  if (path === undefined) throw new Error(`nothing says where ${name} comes from`);
  return recall(path, heard);
}

/** The newest answer's value under a path. */
function recall(path: string, heard: readonly Heard[]): unknown {
  for (const { answer } of heard) {
    const value = path.split(".").reduce((at: Json, name) => at?.[name], answer);
    if (value !== undefined && value !== null) return value;
  }
  throw new Error(`no answer held ${path}`);
}

/** Runs a line in a folder that holds the file, as its model would in a shell. */
async function runLine(line: string, file: File): Promise<Json> {
  const folder = await openFolder();
  await writeFile(join(folder, file.name), await file.bytes());
  const { stdout } = await promisify(execFile)("/bin/sh", ["-c", line], { cwd: folder });
  const answer = JSON.parse(stdout);
  if (answer.data === undefined) throw new Error(`the upload answered ${stdout}`);
  return answer;
}
