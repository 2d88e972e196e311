import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { choosePort } from "../../../cli/embedded/port.ts";
import { confirmClaim } from "../../../shared/identity/agents/claims.ts";
import { COMMAND_LINE } from "../../../shared/identity/audit/record-act.ts";
import { enqueueLostWork } from "../../../shared/platform/pending-work/enqueue-lost-work.ts";
import { parseMarkdown } from "../../../shared/text/markdown/parse.ts";
import { sequenceEvents } from "../../../shared/trust/events/sequence-events.ts";
import type { Json } from "../../support/agent.ts";
import { closeAfterwards, openFolder } from "../../support/close-afterwards.ts";
import { makeLogKey } from "../../support/log.ts";
import { openService, type TestService } from "../../support/service.ts";

const run = promisify(execFile);

/** A reader who follows a page: the shell's variables, a folder to work in, and what was answered last. */
export interface Reader {
  service: TestService;
  folder: string;
  variables: Record<string, string>;
  answer: Json;
  /** How many commands ran, answers were compared and bodies were sent. */
  counts: { commands: number; answers: number; bodies: number };
}

/** A service that listens on a port of its own, and somebody who reads its documentation in a shell. */
export async function openReader(): Promise<Reader> {
  const port = await choosePort();
  const siteUrl = `http://127.0.0.1:${port}`;
  const service = await openService({
    config: { siteUrl, port, logKeys: [makeLogKey(`127.0.0.1:${port}/log`)] },
  });
  await service.app.listen({ port, host: "127.0.0.1" });
  sweepOn(service);
  const folder = await openFolder();
  // A refused command ends its script, as it would stop a careful reader.
  await writeFile(join(folder, ".curlrc"), "fail-with-body\nmax-time = 20\n");
  return {
    service,
    folder,
    variables: { BASE: `${siteUrl}/api/v1`, SITE: siteUrl },
    answer: null,
    counts: { commands: 0, answers: 0, bodies: 0 },
  };
}

/** Orders what a change asks for, and tells of it, as workers do all the time. */
function sweepOn({ deps }: TestService): void {
  const ended = new AbortController();
  const telling = (async () => {
    while (!ended.signal.aborted) {
      await enqueueLostWork(deps, "inspect");
      await sequenceEvents(deps);
      await pause(100);
    }
  })();
  closeAfterwards(() => {
    ended.abort();
    return telling;
  });
}

/** Follows a text from top to bottom: runs its commands, compares the answers it shows, keeps what it says to keep. */
export async function walk(reader: Reader, markdown: string): Promise<void> {
  let afterCommand = false;
  for (const token of parseMarkdown(markdown).shown) {
    if (token.type === "inline") keep(reader, token.content);
    if (token.type !== "fence") continue;
    const language = token.info.trim();
    if (language === "sh") await runCommand(reader, token.content);
    else if (language === "http")
      for (const text of token.content.split(/\n\n(?=[A-Z]+ )/)) await sendShort(reader, text);
    else if (language === "json") await readJson(reader, JSON.parse(token.content), afterCommand);
    afterCommand = language === "sh" || language === "http";
  }
}

/** "Keep `data.token` as `TOKEN`": the words of a text tell which variables its next commands need. */
function keep(reader: Reader, words: string): void {
  for (const [, path = "", name = ""] of words.matchAll(/`((?:data|meta)(?:\.\w+)+)` as `([A-Z_]+)`/g)) {
    const value = path.split(".").reduce((inner, member) => inner?.[member], reader.answer);
    if (value === undefined) throw new Error(`the answer has no ${path}: ${JSON.stringify(reader.answer)}`);
    reader.variables[name] = String(value);
  }
}

async function runCommand(reader: Reader, script: string): Promise<void> {
  // Linux has random UUIDs in a file; a start of Node for each took 50 ms of the processor.
  const prelude = `uuidgen() { cat /proc/sys/kernel/random/uuid 2>/dev/null || "${process.execPath}" -p 'crypto.randomUUID()'; }\n`;
  const { stdout } = await run("bash", ["-euc", prelude + script], {
    cwd: reader.folder,
    env: { PATH: process.env.PATH, CURL_HOME: reader.folder, ...reader.variables },
  }).catch((error: { stdout?: string; stderr?: string }) => {
    throw new Error(`${script}\nanswered ${error.stdout ?? ""} ${error.stderr ?? ""}`);
  });
  reader.counts.commands += 1;
  reader.answer = /^\s*\{/.test(stdout) ? JSON.parse(stdout) : stdout;
  // The owner, who is no part of the text, confirms whoever asks.
  const data = reader.answer?.data;
  if (data?.claim_url) await confirmClaim(reader.service.deps, COMMAND_LINE, data.agent.id);
}

async function readJson(reader: Reader, shown: Json, afterCommand: boolean): Promise<void> {
  if (afterCommand) {
    compare(shown, reader.answer, "the answer");
    reader.counts.answers += 1;
  } else if ("type" in shown && "payload" in shown) await sendBody(reader, shown);
}

/** A body that stands alone is one of POST /creations; "$NAME" in it is an id. */
async function sendBody(reader: Reader, body: Json): Promise<void> {
  await sendShort(reader, `POST /creations\n${JSON.stringify(body)}`);
  reader.counts.bodies += 1;
}

/** A request that is written short: method, path and body; the rest goes without saying, as with the client's `call`. */
async function sendShort(reader: Reader, text: string): Promise<void> {
  const whole = text.replace(/\$([A-Z_]+)/g, (_, name: string) => reader.variables[name] ?? "");
  const [, method = "", path = "", body = ""] = /^(\w+) (\S+)\n([\s\S]*)$/.exec(whole) ?? [];
  const { BASE = "", SITE = "", TOKEN } = reader.variables;
  const inFull = (at: string) =>
    at.startsWith("http") ? at : `${/^\/(media|@|id\/)/.test(at) ? SITE : BASE}${at}`;
  const headers: Record<string, string> = { authorization: `Bearer ${TOKEN}`, accept: "application/json" };
  if (method !== "GET") headers["idempotency-key"] = crypto.randomUUID();
  if (body !== "") headers["content-type"] = "application/json";
  const ask = async () => await fetch(inFull(path), { method, headers, body: body || null });
  let response = await ask();
  if (response.status === 428) {
    const [about = "/agent/profile"] = /^\/creations\/\w+/.exec(path) ?? [];
    const latest: Json = await (await fetch(inFull(about), { headers })).json();
    headers["if-match"] = latest.data.lock_version;
    response = await ask();
  }
  const answer = await response.text();
  if (!response.ok) throw new Error(`${whole}\nanswered ${answer}`);
  reader.answer = answer.startsWith("{") ? JSON.parse(answer) : answer;
  reader.counts.commands += 1;
}

const MADE_UP = /…|^[0-7][0-9A-HJKMNP-TV-Z]{25}$|^[0-9a-f]{64}$|^\d{4}-\d\d-\d\dT\d\d:\d\d:11Z$/;

/** Every member that a text shows is there with the same value; of ids, hashes and secrets only the type is compared. */
function compare(shown: Json, real: Json, path: string): void {
  if (Array.isArray(shown) || (typeof shown === "object" && shown !== null)) {
    for (const [member, value] of Object.entries(shown)) compare(value, real?.[member], `${path}.${member}`);
    return;
  }
  const same = typeof shown === "string" && MADE_UP.test(shown) ? typeof real === "string" : shown === real;
  if (!same) throw new Error(`${path} is shown as ${JSON.stringify(shown)} and is ${JSON.stringify(real)}`);
}
