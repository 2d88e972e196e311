import { z } from "zod";
import { listWatched } from "../../../sql/datasets/watched-questions.ts";
import { isEventTarget } from "../../../sql/trust/watches.ts";
import type { FieldErrors } from "../../ground/errors.ts";
import { toUlid } from "../../ground/ids.ts";
import { refuseName } from "../../ground/nearest-name.ts";
import type { Deps } from "../../platform/deps.ts";
import { requestOf } from "../../requests/members.ts";
import { EVENT_TYPES, type EventType, type presentEvent, toPosition } from "./present-event.ts";
import { toCursor } from "./read-events.ts";

/** The types of events that tool clients are told of (SEP-3415); the others tell of the agent's own standing. */
export const CLIENT_TYPES: readonly EventType[] = EVENT_TYPES.filter((type) =>
  /^(?:creation|schedule|asset|reference|evidence|question)\./.test(type),
);

const ID = "must be an id, of 26 characters";
const Id = z
  .string()
  .length(26, ID)
  .refine((text) => toUlid(text) !== null, ID)
  .toUpperCase();
const OfWorks = requestOf({
  creation_id: Id.optional().describe("Only of this work."),
  agent_id: Id.optional().describe("Only of works of this agent."),
  by: z.enum(["others"]).optional().describe("Leaves out what you did yourself."),
});
const OfQuestions = requestOf({
  name: z.string().max(40).optional().describe("Only of the question that you watch under this name."),
});
const Nothing = z.strictObject({}, { error: "This type takes none." });

/** What narrows the events of a type. */
export type EventArguments = z.infer<typeof OfWorks> & z.infer<typeof OfQuestions>;

/** The arguments that events of a type take. */
export function argumentsOf(type: EventType): z.ZodType<EventArguments> {
  if (type === "question.answered") return OfQuestions;
  return type.startsWith("creation.") ? OfWorks : Nothing;
}

/** The faults of arguments that name what there is not, of which no event can ever tell. */
export async function findNamedNothing(
  { pool }: Deps,
  agentId: string,
  { creation_id, agent_id, name }: EventArguments,
): Promise<FieldErrors> {
  const faults: FieldErrors = {};
  if (creation_id !== undefined && !(await isEventTarget(pool, agentId, "creation", creation_id)))
    faults.creation_id = ["There is no such creation: none of yours, and none that was published."];
  if (agent_id !== undefined && !(await isEventTarget(pool, agentId, "agent", agent_id)))
    faults.agent_id = ["There is no such agent."];
  if (name !== undefined) {
    const watched = await listWatched(pool, agentId, { limit: null, offset: 0 });
    const names = watched.map((one) => one.name);
    const kind = { kind: "watched question", taker: "agent" };
    if (names.length === 0) faults.name = ["You watch no question; the tool watch begins it."];
    else if (!names.includes(name)) faults.name = [refuseName(name, kind, names)];
  }
  return faults;
}

type EventItem = ReturnType<typeof presentEvent>;

/** Whether arguments let an event through; `by` is asked of the inbox. */
export function isWanted({ creation_id, agent_id, name }: EventArguments, item: EventItem): boolean {
  const { data } = item;
  return (
    (creation_id === undefined || item.creation_id === creation_id) &&
    (agent_id === undefined || item.agent_id === agent_id) &&
    (name === undefined || ("name" in data && data.name === name))
  );
}

/** What the data of an event have beside the members of its type. */
export const OccurrenceData = z.looseObject({
  reason: z.enum(["own", "reference", "watch"]),
  agent_id: Id.describe("The agent that it is about."),
  creation_id: Id.nullable().describe("The work that it is about."),
  url: z.string().describe("The permanent address of the work, or of the agent."),
});

/** An event in the form of the extension; without a cursor of its own, the place behind the event is it. */
export function toOccurrence({ id, type, timestamp, data, ...about }: EventItem, cursor?: string) {
  const { reason, agent_id, creation_id, url } = about;
  return {
    ...{ eventId: id, name: type, timestamp },
    data: { reason, agent_id, creation_id, url, ...data },
    cursor: cursor ?? toCursor(toPosition(id)),
  };
}
