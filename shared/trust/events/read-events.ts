import { findLastPosition, readInbox } from "../../../sql/trust/event-inbox.ts";
import { addressesOf } from "../../ground/addresses.ts";
import type { FieldErrors } from "../../ground/errors.ts";
import { askWhetherMeant } from "../../ground/nearest-name.ts";
import { readPageQuery } from "../../ground/pagination.ts";
import type { Deps } from "../../platform/deps.ts";
import { EVENT_TYPES, type EventType, presentEvent, toPosition } from "./present-event.ts";

const FORM = /^[0-9a-z]{1,11}-[0-9a-z]{2}$/;
const CHECKS = 1_296;

/** A position as readers keep it. */
export function toCursor(position: number): string {
  return `${position.toString(36)}-${checkOf(position)}`;
}

/** The position of a cursor; null for a text that is none. */
export function readCursor(text: string): number | null {
  if (!FORM.test(text)) return null;
  const position = Number.parseInt(text, 36);
  return Number.isSafeInteger(position) && toCursor(position) === text ? position : null;
}

/** Two digits by which a cursor that was cut or mistyped is told from one that was given out. */
function checkOf(position: number): string {
  return (position % (CHECKS - 5)).toString(36).padStart(2, "0");
}

/** The longest wait for an event, in seconds. */
export const MOST_WAIT_SECONDS = 25;

/** What an agent asks for. */
export interface EventsQuery {
  /** The position after which it reads; null for what comes from now on. */
  after: number | null;
  /** Whether it named a place: only then something after it can be missing. */
  isGiven: boolean;
  types: readonly EventType[] | null;
  byOthers: boolean;
  perPage: number;
  waitMs: number;
}

/** Reads the query of GET /events; what cannot be read is a fault on the parameter. */
export function readEventsQuery(query: Record<string, unknown>, faults: FieldErrors): EventsQuery {
  const { perPage } = readPageQuery({ per_page: query.per_page }, faults);
  const types = readTypes(query.types, faults);
  const byOthers = readBy(query.by, faults);
  const waitMs = readWait(query.wait, faults) * 1_000;
  const isGiven = query.after !== undefined && query.after !== "now";
  return { after: readAfter(query.after, faults), isGiven, types, byOthers, perPage, waitMs };
}

function readAfter(value: unknown, faults: FieldErrors): number | null {
  if (value === undefined) return 0;
  if (value === "now") return null;
  const position = typeof value === "string" ? readCursor(value) : null;
  if (position === null) {
    faults.after ??= [
      "The after must be a cursor as meta.cursor gave it, or now. Leave it out to begin with the oldest event.",
    ];
  }
  return position ?? 0;
}

function readTypes(value: unknown, faults: FieldErrors): readonly EventType[] | null {
  if (value === undefined) return null;
  const names = String(value).split(",");
  const types = EVENT_TYPES.filter((type) => names.includes(type));
  const unknown = names.filter((name) => !EVENT_TYPES.some((type) => type === name));
  if (unknown.length > 0) {
    faults.types ??= [
      `The types must be names of events, separated by commas.${askWhetherMeant(unknown[0] ?? "", EVENT_TYPES)} There are ${EVENT_TYPES.join(", ")}.`,
    ];
  }
  return types;
}

function readBy(value: unknown, faults: FieldErrors): boolean {
  if (value !== undefined && value !== "others") {
    faults.by ??= ["The by must be others. Leave it out to be told of your own acts too."];
  }
  return value === "others";
}

function readWait(value: unknown, faults: FieldErrors): number {
  if (value === undefined) return 0;
  if (typeof value === "string" && /^\d{1,9}$/.test(value)) return Math.min(Number(value), MOST_WAIT_SECONDS);
  faults.wait ??= [`The wait must be a whole number of seconds from 0 to ${MOST_WAIT_SECONDS}.`];
  return 0;
}

/** A page of what an agent is told, in the order of cursors. */
export interface EventsPage {
  items: readonly ReturnType<typeof presentEvent>[];
  /** After the last item, or after all there is where no more items follow. */
  cursor: string;
  hasMore: boolean;
  /** Whether events between the given place and the oldest kept were deleted. */
  hasGap: boolean;
}

/** What an agent asks for, with the place from which it reads. */
export type PlacedQuery = EventsQuery & { after: number };

/** Settles what "now" is. */
export async function placeQuery({ pool }: Deps, query: EventsQuery): Promise<PlacedQuery> {
  return { ...query, after: query.after ?? (await findLastPosition(pool)) };
}

/** One page of an agent's events. */
export async function readEvents(
  { pool, config }: Deps,
  agentId: string,
  { after, isGiven, types, byOthers, perPage }: PlacedQuery,
): Promise<EventsPage> {
  const found = await readInbox(pool, agentId, { after, types, byOthers, most: perPage + 1 });
  const shown = found.items.slice(0, perPage);
  const hasMore = found.items.length > perPage;
  const last = hasMore ? shown.at(-1)?.position : Math.max(found.last, after);
  return {
    items: shown.map((item) => presentEvent(config.siteUrl, item)),
    cursor: toCursor(last ?? after),
    hasMore,
    hasGap: isGiven && found.deleted_to !== null && after < found.deleted_to,
  };
}

/** The answer of GET /events. */
export function frameEvents(deps: Deps, page: EventsPage, query: Record<string, unknown>) {
  const { items, cursor, hasMore, hasGap } = page;
  const { types, by, per_page } = query;
  const next = new URLSearchParams({ after: cursor });
  if (types !== undefined) next.set("types", String(types));
  if (by !== undefined) next.set("by", String(by));
  if (per_page !== undefined) next.set("per_page", String(per_page));
  const address = `${addressesOf(deps.config.siteUrl).api}/events?${next}`;
  return {
    data: items.map((item) => ({ ...item, cursor: toCursor(toPosition(item.id)) })),
    links: { next: hasMore ? address : null },
    meta: { cursor, has_more: hasMore, gap: hasGap },
  };
}
