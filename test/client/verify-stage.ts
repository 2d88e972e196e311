import { execFile, spawnSync } from "node:child_process";
import { cp, readdir } from "node:fs/promises";
import { delimiter, dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Json } from "../support/agent.ts";
import { openFolder } from "../support/close-afterwards.ts";
import { readRaw } from "../support/log.ts";
import { type Ended, runClient, type Stage } from "./stage.ts";

/** Copies the verifier out of the package, and nothing else of it. */
export async function takeVerifier(stage: Stage): Promise<string> {
  const folder = await openFolder();
  await cp(join(dirname(stage.program), "verify"), folder, { recursive: true });
  return join(folder, "verify.mjs");
}

/** Its function, for more runs than there can be processes. */
export async function loadVerifier(
  program: string,
): Promise<(target: string, keys?: { vkey?: string[]; witness?: string[] }) => Promise<Json>> {
  const { verify } = await import(pathToFileURL(program).href);
  return (target, keys = {}) => verify(target, keys);
}

/** Runs it with nothing in its environment. */
export async function runVerifier(node: string, program: string, ...args: string[]) {
  return await new Promise<Ended>((resolve) => {
    execFile(node, [program, ...args], { env: {}, timeout: 60_000 }, (error, stdout, stderr) => {
      const json = stdout.startsWith("{") ? JSON.parse(stdout) : null;
      resolve({ exit: Number(error?.code ?? 0), json, stdout, stderr });
    });
  });
}

/** A Node 20 of this machine; null where there is none. */
export function findNode20(): string | null {
  const places = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "node"));
  const versionOf = (node: string) => spawnSync(node, ["--version"], { encoding: "utf8" }).stdout ?? "";
  return places.find((node) => versionOf(node).startsWith("v20.")) ?? null;
}

/** Pulls as somebody without a token does, into a folder of its own. */
export async function pullAsNobody(
  stage: Stage,
  what: string,
  timeout?: number,
): Promise<Ended & { folder: string }> {
  const { BROADSHEET_TOKEN: _, ...nobody } = stage.env;
  const folder = await openFolder();
  return { ...(await runClient(stage.program, nobody, folder, ["pull", what, "."], timeout)), folder };
}

/** The newest verifier key of the log. */
export async function readVkey({ service }: Stage): Promise<string> {
  return (await readRaw(service, "/log/vkeys")).text.split("\n")[0] ?? "";
}

/** The files of a folder whose bytes are proven: all but what the client notes for itself. */
export async function listProven(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile() && entry.name !== "broadsheet.json");
  return files.map((entry) => join(entry.parentPath, entry.name)).toSorted();
}
