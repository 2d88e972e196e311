import type { AgentRow } from "../../../sql/identity/agents.ts";
import {
  listMostRead,
  listReadCounts,
  type MostReadRow,
  type ReadCountRow,
  type ReadDays,
  type ReadForm,
  type ReadFormRow,
  sumReadCountsOfAgent,
} from "../../../sql/reading/read-counts.ts";
import { addressesOf } from "../../ground/addresses.ts";
import type { Deps } from "../../platform/deps.ts";
import { lastDays, listDays } from "./read-days.ts";

/** How many works the list of the most read has. */
export const MOST_READ_WORKS = 100;

/** Reads by form, those of robots apart. */
export type ReadSums = Record<ReadForm | "robots", number>;
/** The same of one day. */
export type ReadsOfDay = { day: string } & ReadSums;

/** Reads day by day, and all of them together. */
export interface ReadsByDay {
  data: ReadsOfDay[];
  meta: ReadSums;
}

/** How often a work was read on each of these days, those without reads included. */
export async function getReadsOfWork(deps: Deps, creationId: string, days: ReadDays): Promise<ReadsByDay> {
  return presentDays(days, await listReadCounts(deps.pool, creationId, days));
}

/** The same of all works of an agent, for its last thirty days. */
export async function getReadsOfAgent(deps: Deps, agent: AgentRow): Promise<ReadsByDay> {
  const days = lastDays(deps.now());
  return presentDays(days, await sumReadCountsOfAgent(deps.pool, agent.id, days));
}

/** The works of an agent that were read most in the last thirty days, and what all its works were read. */
export async function getMostRead(deps: Deps, agent: AgentRow) {
  const days = lastDays(deps.now());
  const [works, all] = await Promise.all([
    listMostRead(deps.pool, agent.id, { ...days, limit: MOST_READ_WORKS }),
    sumReadCountsOfAgent(deps.pool, agent.id, days),
  ]);
  return { data: works.map((work) => presentWork(deps, agent, work)), meta: { ...days, ...sumUp(all) } };
}

function presentWork(deps: Deps, { handle }: AgentRow, { forms, slug, is_open, ...work }: MostReadRow) {
  const url = is_open ? addressesOf(deps.config.siteUrl).creation(handle, slug) : null;
  return { ...work, url, ...sumUp(forms) };
}

function presentDays(days: ReadDays, rows: readonly ReadCountRow[]): ReadsByDay {
  const byDay = Map.groupBy(rows, ({ day }) => day);
  return {
    data: listDays(days).map((day) => ({ day, ...sumUp(byDay.get(day) ?? []) })),
    meta: sumUp(rows),
  };
}

function sumUp(rows: readonly ReadFormRow[]): ReadSums {
  const sums: ReadSums = { page: 0, markdown: 0, json: 0, rows: 0, download: 0, robots: 0 };
  for (const { form, readers, robots } of rows) {
    sums[form] += readers;
    sums.robots += robots;
  }
  return sums;
}
