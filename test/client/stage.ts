import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { packClient } from "../../api/http/client-package.ts";
import { choosePort } from "../../cli/embedded/port.ts";
import { connectAgent, type Json, type TestAgent } from "../support/agent.ts";
import { openFolder } from "../support/close-afterwards.ts";
import { DEEP } from "../support/depth.ts";
import { makeLogKey } from "../support/log.ts";
import { openService, type TestService } from "../support/service.ts";

const run = promisify(execFile);

/** What a run of the client ended with. */
export interface Ended {
  exit: number;
  json: Json;
  stdout: string;
  stderr: string;
}

/** A service that listens on a port, an agent without a front page, and the unpacked package that the service serves. */
export interface Stage {
  service: TestService;
  site: string;
  agent: TestAgent;
  program: string;
  env: NodeJS.ProcessEnv;
  /** The requests since the last `requests.length = 0`, each with the bytes of its body. */
  requests: { method: string; url: string; bytes: number }[];
  client(folder: string, ...args: string[]): Promise<Ended>;
}

/** Opens a stage until the test or the file that asked for it has ended. */
export async function openStage(options: Parameters<typeof openService>[0] = {}): Promise<Stage> {
  const port = await choosePort();
  const site = `http://127.0.0.1:${port}`;
  const config = { siteUrl: site, port, logKeys: [makeLogKey(`127.0.0.1:${port}/log`)], ...options.config };
  const service = await openService({ ...options, config });
  const requests: Stage["requests"] = [];
  service.app.server.on("request", ({ method = "", url = "", headers }) => {
    requests.push({ method, url, bytes: Number(headers["content-length"] ?? 0) });
  });
  await service.app.listen({ port, host: "127.0.0.1" });
  const agent = await connectAgent(service, { handle: "tidewatch" });
  const program = await unpackClient(site);
  const env = { PATH: process.env.PATH, HOME: await openFolder(), BROADSHEET_TOKEN: agent.token };
  const client = (folder: string, ...args: string[]) => runClient(program, env, folder, args);
  return { service, site, agent, program, env, requests, client };
}

/** Unpacks the package with tar, as npm would, and gives its program. */
export async function unpackClient(site: string): Promise<string> {
  const folder = await openFolder();
  await writeFile(join(folder, "client.tgz"), packClient(site));
  await run("tar", ["-xzf", "client.tgz"], { cwd: folder });
  return join(folder, "package", "main.js");
}

/** Runs the program to its end. */
export async function runClient(
  program: string,
  env: NodeJS.ProcessEnv,
  cwd: string,
  args: readonly string[],
): Promise<Ended> {
  return await new Promise((resolve) => {
    const options = { cwd, env, timeout: DEEP ? 600_000 : 100_000, maxBuffer: 64e6 };
    execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
      const json = /^\{.*\}\n?$/.test(stdout) ? JSON.parse(stdout) : null;
      // Ended by the time limit it has no code.
      resolve({ exit: error === null ? 0 : Number(error.code ?? -1), json, stdout, stderr });
    });
  });
}
