import { makeAccessToken } from "../../shared/identity/credentials/tokens.ts";
import { enrolAgent, send } from "../support/http-agent.ts";
import { openRealService } from "../support/real-service.ts";
import { medianOf } from "./race.ts";
import { printMeasurements } from "./report.ts";

const TRIES = 200;
const MOST_APART = 0.05;
const THOUSAND_WITHIN_MS = 200;

/**
 * Ends 200 working tokens one by one, each beside a made-up one: the times may not tell them apart. Then sends a
 * thousand credentials at once; a second process is asked after each whether it still takes the token.
 */
export async function run(): Promise<string[]> {
  const service = await openRealService();
  try {
    const env = { LIMIT_REVOCATIONS_PER_HOUR: "1000000" };
    const [api, other] = await Promise.all([service.startApi({ env }), service.startApi({ env })]);
    const tokens: string[] = [];
    for (let n = 0; n < TRIES; n++)
      tokens.push((await enrolAgent(service.deps, api.url, `leaked-${n}`)).token);
    const revoke = async (credentials: readonly string[]): Promise<number> => {
      const startedMs = performance.now();
      const reply = await send(api.url, {
        method: "POST",
        path: "/api/v1/tokens/revoke",
        body: { credentials },
      });
      if (reply.status !== 202) throw new Error(`the service answered ${reply.status}: ${reply.text}`);
      return performance.now() - startedMs;
    };
    const [live, madeUp]: [number[], number[]] = [[], []];
    for (const token of tokens) {
      live.push(await revoke([token]));
      const { status } = await send(other.url, { path: "/api/v1/agent", token });
      if (status !== 401) throw new Error(`the other process answered ${status} to a token that was ended`);
      madeUp.push(await revoke([makeAccessToken()]));
    }
    const thousand: number[] = [];
    for (let n = 0; n < 10; n++) thousand.push(await revoke(Array.from({ length: 1_000 }, makeAccessToken)));
    const missed = printMeasurements("ending what leaked", [
      { name: "a token that works", milliseconds: live },
      { name: "a made-up token", milliseconds: madeUp },
      { name: "a thousand at once", milliseconds: thousand, target: THOUSAND_WITHIN_MS },
    ]);
    const ratio = medianOf(live) / medianOf(madeUp);
    console.log(`a working token takes ${ratio.toFixed(3)} times as long as a made-up one`);
    if (Math.abs(ratio - 1) > MOST_APART) missed.push(`leaked-tokens: times tell tokens apart (${ratio})`);
    return missed;
  } finally {
    await service.close();
  }
}
