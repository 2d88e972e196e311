import { randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { setTimeout as delay } from "node:timers/promises";

const CLIENTS = 16;
const VISITORS = 4;
const AGAIN_AFTER_MS = 20;
const CLOSING_MS = 100;
const READS = ["/", "/feed.xml", "/api/v1/topics", "/api/v1/agent", "/docs/limits", "/api/v1/agent/profile"];

interface LoadOptions {
  /** The root that the requests are sent to. */
  url: string;
  token: string;
  /** How many requests are sent at least. */
  requests: number;
}

interface Target {
  agent: Agent;
  url: string;
  token: string;
}

/** A load that goes on while processes are replaced. */
export interface Load {
  sent(): number;
  /** Goes on until enough requests were sent, then tells how many were answered well, written, and what failed. */
  finish(): Promise<{ answered: number; written: number; failed: string[] }>;
}

/** Clients that each send one request after the other over a kept connection, every tenth a write. */
export function startLoad({ url, token, requests }: LoadOptions): Load {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS });
  let sent = 0;
  let answered = 0;
  let written = 0;
  let isOver = false;
  const failed: string[] = [];
  const play = async () => {
    while (!isOver || sent < requests) {
      const turn = sent++;
      const isWrite = turn % 10 === 0;
      const path = isWrite ? "/api/v1/creations" : (READS[turn % READS.length] ?? "/");
      const status = await ask({ agent, url, token }, path, isWrite ? writeOf(turn) : null).catch(
        (error: Error) => error.message,
      );
      if (status !== (isWrite ? 201 : 200)) failed.push(`${path} ${status}`);
      else answered++;
      if (status === 201) written++;
    }
  };
  const clients = Array.from({ length: CLIENTS }, play);
  return {
    sent: () => sent,
    async finish() {
      isOver = true;
      await Promise.all(clients);
      agent.destroy();
      return { answered, written, failed };
    },
  };
}

/** Visitors of a port that closes for a while, each request over a connection of its own. */
export interface Visits {
  /** Tells how many were answered well, what failed that was let in, and for how long at most nobody was let in. */
  finish(): Promise<{ answered: number; failed: string[]; closedMs: number }>;
}

interface VisitOptions extends Omit<LoadOptions, "requests"> {
  /** Whether an engine for containers holds the port: it takes connections while nobody listens behind it, and cuts them. */
  isForwarded?: boolean;
}

/** Sends requests while the one process behind a port is replaced; who is not let in tries again. */
export function startVisits({ url, token, isForwarded = false }: VisitOptions): Visits {
  const notLetIn = isForwarded ? /ECONNREFUSED|ECONNRESET|socket hang up/ : /ECONNREFUSED/;
  const agent = new Agent({ keepAlive: false });
  let [answered, closedMs, turn, isOver] = [0, 0, 0, false];
  let closedAt: number | null = null;
  const closings: number[] = [];
  const failures: { begunAt: number; said: string }[] = [];
  const visit = async (path: string, body: string | null) => {
    const begunAt = performance.now();
    try {
      await ask({ agent, url, token }, path, body);
      answered++;
      if (closedAt === null || begunAt < closedAt) return;
      closedMs = Math.max(closedMs, performance.now() - closedAt);
      closedAt = null;
    } catch (error) {
      if (!notLetIn.test(String(error))) failures.push({ begunAt, said: `${path} ${error}` });
      else if (closedAt === null) {
        closedAt = begunAt;
        closings.push(begunAt);
      }
      await delay(AGAIN_AFTER_MS);
    }
  };
  const clients = Array.from({ length: VISITORS }, async () => {
    while (!isOver || closedAt !== null) {
      const each = turn++;
      if (each % 10 === 0) await visit("/api/v1/creations", writeOf(each));
      else await visit(READS[each % READS.length] ?? "/", null);
    }
  });
  return {
    async finish() {
      isOver = true;
      await Promise.all(clients);
      // As a port closes, the kernel resets what the process has not accepted yet.
      const isClosing = (begunAt: number) => closings.some((at) => Math.abs(at - begunAt) < CLOSING_MS);
      const ofService = failures.filter(
        ({ said, begunAt }) => !/ECONNRESET/.test(said) || !isClosing(begunAt),
      );
      return { answered, failed: ofService.map(({ said }) => said), closedMs };
    },
  };
}

const writeOf = (turn: number) =>
  JSON.stringify({ type: "story", payload: { title: `Reading ${turn}`, body_markdown: "The gauge rose." } });

function ask({ agent, url, token }: Target, path: string, body: string | null): Promise<number> {
  return new Promise((resolve, reject) => {
    const isOwn = path.startsWith("/api/v1/");
    const headers = {
      ...(isOwn ? { authorization: `Bearer ${token}` } : {}),
      ...(body === null ? {} : { "content-type": "application/json", "idempotency-key": randomUUID() }),
    };
    const method = body === null ? "GET" : "POST";
    const sending = request(`${url}${path}`, { agent, method, headers }, (answer) => {
      answer.on("error", reject);
      // What the balancer or a process says of a failure stands in the test's own.
      void answer.toArray().then((chunks) => {
        if (answer.statusCode === 200 || answer.statusCode === 201) resolve(answer.statusCode);
        else reject(new Error(`${answer.statusCode} ${Buffer.concat(chunks).toString().slice(0, 200)}`));
      }, reject);
    });
    sending.on("error", reject);
    sending.end(body ?? undefined);
  });
}
