import { z } from "zod";
import { type Fragment, sql } from "../connection/pool.ts";

/** The conditions of a list for operators; a missing one lets every row through. Names and ids are resolved before. */
export interface ListFilter {
  id?: string;
  /** In lower case: part of a name, an address or an e-mail address, or an id. */
  text?: string;
  ownerId?: string;
  agentId?: string;
  status?: string;
  state?: string;
  type?: string;
  visibility?: string;
  reason?: string;
  hidden?: boolean;
  erased?: boolean;
  moderator?: boolean;
  enabled?: boolean;
  actor?: string;
  /** An action such as `agent.pause`, or its noun alone. */
  action?: string;
  subjectId?: string;
  fromMs?: number;
  toMs?: number;
}

/** The part of a list: newest first, after the row of an id. */
export interface ListPart {
  beforeId: string | null;
  limit: number;
  nowMs: number;
}

/** An entry of a list, with the columns of its statement, which operators are shown one and all. */
export const Entry = z.record(z.string(), z.unknown());

/** The condition that every row fits. */
export const ALL = sql.fragment`true`;

/** The condition that a column has a value, where one is wanted. */
export function same(column: Fragment, value: string | boolean | undefined): Fragment {
  return value === undefined ? ALL : sql.fragment`${column} = ${value}`;
}

/** The condition of rows whose id is the text, or one of whose columns holds it. */
export function holds(text: string | undefined, id: Fragment, columns: readonly Fragment[]): Fragment {
  if (text === undefined) return ALL;
  const parts = columns.map((column) => sql.fragment`position(${text} IN lower(${column})) > 0`);
  const any = sql.join([sql.fragment`${id} = upper(${text})`, ...parts], sql.fragment` OR `);
  return sql.fragment`(${any})`;
}

/** The end of every list: the one row of an id, those after a row, newest first. */
export function endOf(id: Fragment, filter: ListFilter, { beforeId, limit }: ListPart): Fragment {
  return sql.fragment`AND ${same(id, filter.id)}
    AND ${beforeId === null ? ALL : sql.fragment`${id} < ${beforeId}`} ORDER BY ${id} DESC LIMIT ${limit}`;
}
