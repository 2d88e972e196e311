import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { quantile } from "./report.ts";

// node overload-client.ts URL TOKENS closed CONNECTIONS SECONDS: each connection sends one request after the other.
// node overload-client.ts URL TOKENS open PER_SECOND SECONDS: so many are sent a second, whatever is answered.
// One request in five makes a creation, the others read; the agents of the tokens, with commas between, take turns. Prints what was answered and how long it took.
const [url = "", tokens = "", mode = "", amount = "1", seconds = "1"] = process.argv.slice(2);
const agent = new Agent({ keepAlive: true, scheduling: "lifo" });
const TICK_MS = 10;
const callers = tokens.split(",");
const served: { read: number[]; write: number[] } = { read: [], write: [] };
const statuses: Record<string, number> = {};
let hurried = 0;
let turn = 0;

function ask(): Promise<void> {
  const isWrite = turn++ % 5 === 0;
  const payload = { title: `Reading ${turn}`, body_markdown: "The gauge rose." };
  const headers = {
    authorization: `Bearer ${callers[turn % callers.length]}`,
    ...(isWrite ? { "content-type": "application/json", "idempotency-key": randomUUID() } : {}),
  };
  const method = isWrite ? "POST" : "GET";
  const sentMs = performance.now();
  return new Promise((resolve) => {
    const note = (status: string, retryAfter?: string) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
      if (status.startsWith("2")) served[isWrite ? "write" : "read"].push(performance.now() - sentMs);
      // A refusal that does not say when to come back.
      if (status === "503" && !Number(retryAfter)) hurried++;
      resolve();
    };
    const sending = request(`${url}/api/v1/creations`, { agent, method, headers }, (answer) => {
      answer.on("end", () => note(String(answer.statusCode), answer.headers["retry-after"]));
      answer.on("error", () => note("broken"));
      answer.resume();
    });
    sending.on("error", () => note("none"));
    sending.end(isWrite ? JSON.stringify({ type: "story", payload }) : undefined);
  });
}

async function runClosed(endMs: number): Promise<void> {
  const work = async () => {
    while (performance.now() < endMs) await ask();
  };
  await Promise.all(Array.from({ length: Number(amount) }, work));
}

async function runOpen(startMs: number, endMs: number): Promise<void> {
  const asked: Promise<void>[] = [];
  while (performance.now() < endMs) {
    const due = ((performance.now() - startMs) / 1_000) * Number(amount);
    while (asked.length < due) asked.push(ask());
    await delay(TICK_MS);
  }
  await Promise.all(asked);
}

const startMs = performance.now();
const endMs = startMs + Number(seconds) * 1_000;
await (mode === "open" ? runOpen(startMs, endMs) : runClosed(endMs));
const all = [...served.read, ...served.write];
const figures = { sent: turn, statuses, hurried, perSecond: all.length / Number(seconds) };
const tell = (times: number[], share: number) => Math.round(quantile(times, share));
const tail = { p99ReadMs: tell(served.read, 0.99), p99WriteMs: tell(served.write, 0.99) };
const whole = { medianMs: tell(all, 0.5), p99Ms: tell(all, 0.99), mostMs: tell(all, 1) };
console.log(JSON.stringify({ ...figures, ...whole, ...tail, writes: served.write.length }));
agent.destroy();
