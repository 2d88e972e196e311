import type { Db } from "../../../sql/connection/pool.ts";
import {
  ActorKind,
  type AuditFilter,
  type AuditRow,
  listAuditOfOwner,
} from "../../../sql/identity/audit-log.ts";
import { refuseField } from "../../ground/errors.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { DAY_MS, toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { getOwnersAgent } from "./dashboard.ts";

const PART = 500;

/** The filter without conditions. */
export const NO_FILTER: AuditFilter = {
  agentId: null,
  actorKind: null,
  noun: null,
  fromMs: null,
  toMs: null,
};

/** The nouns of acts that a filter can name. */
export const ACT_NOUNS = [
  ...[
    "agent",
    "asset",
    "creation",
    "domain",
    "enrollment",
    "export",
    "grant",
    "invitation",
    "moderator",
    "owner",
    "passkey",
    "profile",
    "report",
    "revision",
    "schedule",
    "token",
    "upload",
    "watch",
    "webhook",
  ],
] as const;

/** An entry of the audit as its owner reads it. */
export type AuditEntryView = ReturnType<typeof presentEntry>;

/** An entry on the page, which leads to its subject. */
export type AuditItemView = AuditEntryView & Pick<AuditRow, "room">;

/** Reads a filter from a form's fields; throws 422 on an unknown choice, 404 for another owner's agent. */
export async function readAuditFilter(
  deps: Deps,
  ownerId: string,
  fields: Record<string, unknown>,
): Promise<AuditFilter> {
  const agent = readText(fields.agent);
  return {
    agentId: agent === null ? null : (await getOwnersAgent(deps, ownerId, agent)).id,
    actorKind: readChoice("who", readText(fields.who), ActorKind.options),
    noun: readChoice("about", readText(fields.about), ACT_NOUNS),
    fromMs: readDay("from", readText(fields.from)),
    toMs: addDay(readDay("to", readText(fields.to))),
  };
}

/** One page of the audit log, newest first, and where the next page begins. */
export async function listAudit(
  deps: Deps,
  ownerId: string,
  filter: AuditFilter,
  part: { before: unknown; limit: number },
): Promise<{ entries: AuditItemView[]; next: number | null }> {
  const before = readText(part.before);
  const beforeId = before !== null && /^\d{1,15}$/.test(before) ? Number(before) : null;
  const rows = await listAuditOfOwner(deps.pool, ownerId, filter, { beforeId, limit: part.limit + 1 });
  const shown = rows.slice(0, part.limit);
  return {
    entries: shown.map((row) => ({ ...presentEntry(row), room: row.room })),
    next: rows.length > part.limit ? (shown.at(-1)?.id ?? null) : null,
  };
}

/** The filtered audit log as CSV, page by page; cells that a spreadsheet would run are prefixed. */
export async function* writeAuditCsv(db: Db, ownerId: string, filter: AuditFilter) {
  yield `${CSV_COLUMNS.join(",")}\r\n`;
  for await (const entry of readAudit(db, ownerId, filter)) {
    yield `${CSV_COLUMNS.map((column) => writeCell(entry[column])).join(",")}\r\n`;
  }
}

/** The filtered audit log as NDJSON, page by page. */
export async function* writeAuditLines(db: Db, ownerId: string, filter: AuditFilter) {
  for await (const entry of readAudit(db, ownerId, filter)) yield `${JSON.stringify(entry)}\n`;
}

const CSV_COLUMNS = [
  ...(["at", "who", "action", "agent", "subject_kind", "subject_id", "detail", "request_id"] as const),
] as const;

/** The filtered audit log, newest first, page by page. */
export async function* readAudit(
  db: Db,
  ownerId: string,
  filter: AuditFilter,
): AsyncGenerator<AuditEntryView> {
  let beforeId: number | null = null;
  while (true) {
    const rows: readonly AuditRow[] = await listAuditOfOwner(db, ownerId, filter, {
      beforeId,
      limit: PART,
    });
    yield* rows.map(presentEntry);
    const last = rows.at(-1);
    if (last === undefined || rows.length < PART) return;
    beforeId = last.id;
  }
}

function presentEntry(row: AuditRow) {
  return {
    at: toIso(row.at),
    who: row.actor_kind,
    action: row.action,
    agent: row.handle,
    ...presentMembers(row, "subject_kind", "subject_id", "detail", "request_id"),
  };
}

/** Quotes every cell and puts an apostrophe before one that begins like a formula (OWASP). */
function writeCell(value: unknown): string {
  const text = value === null ? "" : typeof value === "string" ? value : JSON.stringify(value);
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return `"${safe.replaceAll('"', '""')}"`;
}

function readText(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? value.trim() : null;
}

function readChoice<Choice extends string>(
  field: string,
  value: string | null,
  choices: readonly Choice[],
): Choice | null {
  const choice = choices.find((entry) => entry === value);
  if (value !== null && choice === undefined) {
    throw refuseField(field, `The ${field} must be one of ${choices.join(", ")}.`);
  }
  return choice ?? null;
}

/** The start of a day in UTC that a form names; throws 422 on its field. */
export function readDay(field: string, value: string | null): number | null {
  if (value === null) return null;
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  if (Number.isNaN(ms)) throw refuseField(field, `The ${field} must be a day such as 2026-11-20.`);
  return ms;
}

function addDay(ms: number | null): number | null {
  return ms === null ? null : ms + DAY_MS;
}
