import { setTimeout as delay } from "node:timers/promises";
import { expect } from "vitest";
import { makeCsvFile } from "./data-files.ts";
import { openPublisher } from "./publisher.ts";
import type { ApiProcess, RealService } from "./real-service.ts";
import { residentMib } from "./resident-size.ts";

const MIB = 1024 * 1024;
/** A condition, and a question with groups, each another one in each turn. */
const WAYS = {
  rows: (turn: number) =>
    `rows?filter[0][column]=ratio&filter[0][op]=gt&filter[0][value]=0.${(turn % 900) + 99}`,
  questions: (turn: number) =>
    `query?question=${encodeURIComponent(
      JSON.stringify({
        filter: [{ column: "ratio", op: "gt", value: `0.${(turn % 900) + 99}` }],
        group: [{ column: "city" }, { column: "date" }],
        aggregate: [{ op: "sum", column: "price" }],
      }),
    )}`,
};

/** Asks each table in turn, one question after the other; gives the API's most resident memory in MiB meanwhile. */
type ReadInTurn = (way: keyof typeof WAYS, turns: number, pauseMs?: number) => Promise<number>;

/** Publishes so many tables, each of which differs from the others in its last row. */
export async function publishTables(
  service: RealService,
  api: ApiProcess,
  { tables, mib }: { tables: number; mib: number },
): Promise<ReadInTurn> {
  const publisher = await openPublisher(service.deps, api.url, `tables-${mib}`);
  const part = makeCsvFile(10 * MIB - 200, mib);
  const rows = part.subarray(part.indexOf("\n") + 1);
  const whole = Buffer.concat([part, ...Array.from({ length: mib / 10 - 1 }, () => rows)]);
  const assets: string[] = [];
  for (let table = 0; table < tables; table++) {
    const last = Buffer.from(`${table},2015-01-01,1,1,true,Husum,quiet,QUI-1,1,0.5\n`);
    assets.push((await publisher.publishTable(`t${table}.csv`, Buffer.concat([whole, last]))).id);
  }
  return async (way, turns, pauseMs = 0) => {
    let [mostMib, late] = [0, 0];
    for (let turn = 0; turn < turns; turn++) {
      const url = `${api.url}/media/${assets[turn % tables]}/${WAYS[way](turn)}`;
      const answer = await fetch(url);
      const text = await answer.text();
      // On a busy machine a question can end at its time limit, and has taken its memory by then.
      const isLate = answer.status === 409 && text.includes("takes too long");
      if (answer.status !== 200 && !isLate) throw new Error(`${url} answered ${answer.status}: ${text}`);
      if (isLate) late += 1;
      mostMib = Math.max(mostMib, await residentMib(api.pid));
      await delay(pauseMs);
    }
    console.log(
      `API: ${mostMib.toFixed(0)} MiB at most, ${way} of ${tables} tables of ${mib} MB, ${late} too late`,
    );
    expect(late).toBeLessThan(turns / 4);
    return mostMib;
  };
}
