import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { cp, mkdir, rm } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Engine } from "./engine.ts";
import { send } from "./http-agent.ts";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "..", "..");
const COPIED = readFileSync(join(ROOT, ".dockerignore"), "utf8").match(/(?<=^!).+/gm) ?? [];
const BESIDE = ["operators", "Dockerfile", ".dockerignore", "docker-compose.yml", "docker-compose.scale.yml"];
/** What the image copies, and the files with which an engine builds and starts it. */
const OURS = [...COPIED, ...BESIDE];

/** A folder with compose files, whose containers and volumes have its name: one's own service stays untouched. */
export interface ComposeFolder {
  path: string;
  env: NodeJS.ProcessEnv;
  /** Puts our files into it, over those of another version. */
  layOut(): Promise<void>;
  compose(...words: string[]): Promise<string>;
  /** Runs commands of the documentation as they are shown, with the names that their parts have here. */
  runShown(commands: string | undefined, names?: Record<string, string>): Promise<void>;
  /** Connects an agent to the service at a root, by the command line within a container; gives its token. */
  connect(url: string, ...container: string[]): Promise<string>;
  /** A new token of that agent. */
  connectAgain(url: string, ...container: string[]): Promise<string>;
  remove(): Promise<void>;
}

async function enrol(url: string, { enrollment_code }: { enrollment_code: string }): Promise<string> {
  const enrolled = await send(url, {
    ...{ method: "POST", path: "/api/v1/agents", headers: { "content-type": "application/json" } },
    body: { enrollment_code, handle: "upgraded", display_name: "Up" },
  });
  return enrolled.json.data.token;
}

/** Makes one below a folder, for an engine that is there. */
export async function makeComposeFolder(engine: Engine, below: string, name: string): Promise<ComposeFolder> {
  const path = join(below, name);
  await mkdir(path);
  const env = { ...engine.env, COMPOSE_PROJECT_NAME: `test-${name}` };
  const compose = async (...words: string[]) =>
    await engine.docker(path, "compose", "--project-name", env.COMPOSE_PROJECT_NAME, ...words);
  return {
    ...{ path, env, compose },
    async layOut() {
      for (const ours of OURS) {
        await rm(join(path, ours), { recursive: true, force: true });
        await cp(join(ROOT, ours), join(path, ours), { recursive: true });
      }
      await engine.adapt(path);
    },
    async runShown(commands = "exit 1", names = {}) {
      const own = { broadsheet_: `test-${name}_`, ...names };
      const script = Object.entries(own).reduce(
        (text, [shown, here]) => text.replaceAll(shown, here),
        commands,
      );
      await run("sh", ["-ec", script], { env, cwd: path, maxBuffer: 1e8 });
    },
    async connect(url, ...container) {
      const cli = async (...words: string[]) =>
        JSON.parse(await compose(...container, "node", "cli/main.ts", ...words));
      await cli("owner", "create", "--email", "nora@example.org");
      const token = await enrol(url, await cli("code", "issue", "--owner", "nora@example.org"));
      await cli("claim", "confirm", "--agent", "@upgraded");
      return token;
    },
    async connectAgain(url, ...container) {
      const code = await compose(
        ...container,
        "node",
        "cli/main.ts",
        "code",
        "reissue",
        "--agent",
        "@upgraded",
      );
      return await enrol(url, JSON.parse(code));
    },
    async remove() {
      await compose("down", "--volumes", "--remove-orphans", "--timeout", "2");
    },
  };
}
