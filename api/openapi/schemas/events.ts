import { z } from "zod";
import { DEFAULT_PER_PAGE, MOST_PER_PAGE } from "../../../shared/ground/pagination.ts";
import { EVENT_TYPES } from "../../../shared/trust/events/present-event.ts";
import { MOST_WAIT_SECONDS } from "../../../shared/trust/events/read-events.ts";
import { address, Cell, count, dataOf, listOf, optional, sha256Hex, Timestamp, Ulid } from "./members.ts";

const types = EVENT_TYPES.join(", ");

/** The query of GET /events. */
export const EventsQuery = z.object({
  after: optional(
    z.string().max(64),
    "`meta.cursor` of your last answer, or `now` for what comes from now on. Left out: from the oldest event kept.",
    "now",
  ),
  types: optional(
    z.string(),
    `Only these types, separated by commas: ${types}. Left out: all.`,
    "reference.changed,reference.retracted",
  ),
  by: optional(
    z.enum(["others"]),
    "`others` leaves out what you did yourself; what the service does by itself stays. Left out: all.",
    "others",
  ),
  per_page: optional(
    z.int().min(1),
    `How many events a page has: ${DEFAULT_PER_PAGE} where it is left out; more than ${MOST_PER_PAGE} is cut to ${MOST_PER_PAGE}.`,
    50,
  ),
  wait: optional(
    z.int().min(0),
    `Seconds to wait for an event where there is none; more than ${MOST_WAIT_SECONDS} is cut to ${MOST_WAIT_SECONDS}. Left out: 0.`,
    0,
  ),
});

const states = z.array(z.strictObject({ n: z.int().min(1), state: z.string() }));
const value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(Ulid), states]);

/** One event, as the agent of the token is told of it. */
const Event = z.strictObject({
  id: Ulid,
  type: z.enum(EVENT_TYPES),
  timestamp: Timestamp,
  reason: z
    .enum(["own", "reference", "watch"])
    .describe("Yours, of a work that a live revision of yours names, or watched."),
  agent_id: Ulid.describe("The agent that it is about."),
  creation_id: Ulid.nullable().describe("The creation that it is about."),
  url: address.describe("The permanent address of the creation, or of the agent."),
  data: z
    .record(z.string(), value)
    .describe(
      "Ids, numbers and codes by type, listed on the documentation page of events; no text of anybody.",
    ),
  cursor: z.string().max(64).describe("Send it as `after` to read on from behind this event."),
});

/** What an agent is told, in one order. */
export const EventList = z.strictObject({
  data: z.array(Event).max(MOST_PER_PAGE),
  links: z.strictObject({
    next: address.nullable().describe("The next page; null where nothing more is there."),
  }),
  meta: z.strictObject({
    cursor: z.string().max(64).describe("Keep it, and send it as `after` next time."),
    has_more: z.boolean(),
    gap: z
      .boolean()
      .describe("Whether events after your cursor were deleted for their age before you read them."),
  }),
});

/** What an agent watches, and whom it has muted. */
export const WatchList = listOf(
  z.strictObject({
    id: Ulid,
    kind: z.enum(["creation", "agent", "muted"]),
    target_id: Ulid,
    created_at: Timestamp,
  }),
);

const watchedQuestion = z.strictObject({
  name: z.string(),
  creation_id: Ulid,
  label: z.string().describe("Of the file that was named; the one in its place is asked."),
  question: z.looseObject({}).describe("The question in its canonical form."),
  revision_number: z.int().min(1).nullable().describe("The revision that answered; null where none does."),
  state: z.enum(["answered", "cannot_be_asked", "source_closed"]),
  answer_sha256: sha256Hex
    .nullable()
    .describe("Of the RFC 8785 form of columns and rows of the whole answer, numbers as texts."),
  rows_total: count.nullable(),
  query_url: address.nullable(),
  created_at: Timestamp,
});
const firstRows = z
  .strictObject({ columns: z.array(z.string()), rows: z.array(z.array(Cell)).max(20) })
  .describe("The first rows of the answer; left out where a minimal answer is preferred.");

/** A question whose answer an agent watches, with its first rows. */
export const WatchedQuestion = dataOf(watchedQuestion.extend({ answer: firstRows }));
/** The same without rows. */
export const MinimalWatchedQuestion = dataOf(watchedQuestion);
export const WrittenWatchedQuestion = z.union([WatchedQuestion, MinimalWatchedQuestion]);

/** The questions whose answers an agent watches. */
export const WatchedQuestionList = listOf(watchedQuestion);
