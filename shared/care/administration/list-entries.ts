import type { ListFilter } from "../../../sql/care/listing-conditions.ts";
import { refuse, refuseField } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { refuseName } from "../../ground/nearest-name.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { ACTS } from "../../identity/audit/act-words.ts";
import { ACT_NOUNS } from "../../identity/owners/audit-log.ts";
import type { Deps } from "../../platform/deps.ts";
import { LISTINGS, type Listing, type ListingFilter, type ListingNoun } from "./listings.ts";
import { readPageAddress, resolveAgent, resolveOwner } from "./resolve.ts";

const DEFAULT_LIMIT = 50;
const MOST_ENTRIES = 1000;

/** What acts of the audit are named after: what owners read of, and what only operators and moderators do. */
export const AUDITED_NOUNS: readonly string[] = [
  ...ACT_NOUNS,
  ...["backup", "banner", "block", "client", "log", "queue", "topic", "witness"],
];

/** An entry of a list: its members, with times as text. */
export type ListEntry = Record<string, unknown>;

/** The options of a list, as they were written. */
export interface ListWish {
  filters?: Readonly<Record<string, unknown>>;
  text?: string;
  limit?: string;
  cursor?: string;
}

/** A page of a list, newest first, and the cursor of the next page; throws 422 on an option. */
export async function listEntries(deps: Deps, noun: ListingNoun, wish: ListWish) {
  const listing: Listing = LISTINGS[noun];
  const limit = readLimit(wish.limit);
  const beforeId = wish.cursor === undefined ? null : readCursor(noun, wish.cursor);
  const filter = { ...listing.fixed, ...(await readFilters(deps, listing, wish.filters ?? {})) };
  if (wish.text !== undefined) filter.text = readText(wish.text);
  const rows = await listing.rows(deps.pool, filter, { beforeId, limit: limit + 1, nowMs: deps.now() });
  const shown = rows.slice(0, limit);
  return {
    data: shown.map(presentEntry),
    next_cursor: rows.length > limit ? String(shown.at(-1)?.id) : null,
  };
}

/** The one entry of an id; throws `not_found`. */
export async function findEntry(deps: Deps, noun: ListingNoun, id: string): Promise<ListEntry> {
  const listing: Listing = LISTINGS[noun];
  const part = { beforeId: null, limit: 1, nowMs: deps.now() };
  const [row] = await listing.rows(deps.pool, { ...listing.fixed, id: readCursor(noun, id, "id") }, part);
  if (row === undefined) throw refuse("not_found", `There is no ${noun} with the id ${id}.`);
  return presentEntry(row);
}

function presentEntry(row: Record<string, unknown>): ListEntry {
  return presentMembers(row, ...Object.keys(row));
}

/** The text that is looked for: an address of a page as its path, anything else in lower case. */
function readText(given: string): string {
  const text = given.trim().toLowerCase();
  if (text === "") throw refuseField("text", "Write what to look for.");
  const address = text.includes("/") ? readPageAddress(text) : null;
  if (address === null) return text;
  return address.slug === null ? `@${address.handle}` : `@${address.handle}/${address.slug}`;
}

/** The number of entries that an option names; throws 422 on `limit`. */
export function readLimit(given: string | undefined): number {
  if (given === undefined) return DEFAULT_LIMIT;
  const limit = /^\d{1,9}$/.test(given) ? Number(given) : 0;
  if (limit >= 1 && limit <= MOST_ENTRIES) return limit;
  throw refuseField("limit", `--limit takes a whole number from 1 to ${MOST_ENTRIES}.`);
}

/** The id of a row: a ULID, or the number of an entry of the audit. */
function readCursor(noun: ListingNoun, given: string, option = "cursor"): string {
  const id = noun === "audit" ? (/^\d{1,15}$/.exec(given)?.[0] ?? null) : toUlid(given);
  if (id !== null) return id;
  const form = option === "cursor" ? "the next_cursor of the page before" : "the id of an entry of the list";
  throw refuseField(option, `--${option} takes ${form}.`);
}

async function readFilters(
  deps: Deps,
  { filters }: Listing,
  given: Readonly<Record<string, unknown>>,
): Promise<ListFilter> {
  const read: Record<string, unknown> = {};
  for (const filter of filters) {
    const value = given[filter.name];
    if (value !== undefined) read[filter.member] = await readFilter(deps, filter, String(value));
  }
  return read;
}

async function readFilter(deps: Deps, { name, takes }: ListingFilter, given: string) {
  if (takes === "flag") return true;
  if (takes === "owner") return (await resolveOwner(deps, given)).id;
  if (takes === "agent") return await resolveAgent(deps, given);
  if (takes === "act") return readAct(name, given.trim());
  if (takes === "id") return readSubject(name, given.trim());
  if (takes === "time") return readTime(name, given);
  const words = takes === "switch" ? ["on", "off"] : takes;
  if (!words.includes(given)) {
    throw refuseField(name, refuseName(given, { kind: name, taker: "option" }, words));
  }
  return takes === "switch" ? given === "on" : given;
}

/** An act or its noun. Of a misspelt one there are no entries, which reads as if nothing had happened. */
function readAct(name: string, given: string): string {
  const noun = given.split(".")[0] ?? "";
  if (!AUDITED_NOUNS.includes(noun)) {
    const kind = { kind: "noun of acts", taker: "option" };
    throw refuseField(name, refuseName(noun, kind, AUDITED_NOUNS));
  }
  if (given === noun || ACTS.includes(given)) return given;
  const toVerb = (act: string) => act.slice(noun.length + 1);
  const verbs = ACTS.filter((act) => act.startsWith(`${noun}.`)).map(toVerb);
  throw refuseField(name, refuseName(toVerb(given), { kind: `verb of ${noun}`, taker: "option" }, verbs));
}

/** The id of what an act is about: a ULID, or the name of a queue, or the number of a log. */
function readSubject(name: string, given: string): string {
  if (!/^[\w-]{1,64}$/.test(given))
    throw refuseField(name, `--${name} takes an id. For an agent use --agent, for an owner --owner.`);
  return toUlid(given) ?? given;
}

/** A day, from its start in UTC, or a time with its zone. */
function readTime(name: string, given: string): number {
  const isTime = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/.test(given);
  const ms = isTime ? Date.parse(given) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw refuseField(
    name,
    `--${name} takes a day such as 2026-11-20, or a time such as 2026-11-20T09:00:00Z.`,
  );
}
