import { z } from "zod";
import { Refusal } from "../../shared/ground/errors.ts";
import { refuseName } from "../../shared/ground/nearest-name.ts";
import type { Caller } from "../../shared/identity/writes/authenticate.ts";
import type { Deps } from "../../shared/platform/deps.ts";
import { explainIssues, type Problems } from "../../shared/requests/explain.ts";
import {
  argumentsOf,
  CLIENT_TYPES,
  type EventArguments,
  findNamedNothing,
  isWanted,
  OccurrenceData,
  toOccurrence,
} from "../../shared/trust/events/occurrences.ts";
import { EVENT_WORDS, type EventType } from "../../shared/trust/events/present-event.ts";
import { placeQuery, readCursor, readEvents } from "../../shared/trust/events/read-events.ts";
import { checkAgent } from "../http/agent-route.ts";
import { type CallScope, challengeOf } from "./callers.ts";
import { type Params, RPC, RpcError } from "./messages.ts";
import { FOR_EVERYONE, listOnOnePage, type Method } from "./methods.ts";

const NEXT_POLL_MS = 10_000;
const MOST_EVENTS = 100;
const ABILITY = "agent:read";

/** The methods of the extension for events (SEP-3415); a token's agent is told by them what GET /events tells it. */
export function openEvents(): [string, Method][] {
  return [
    ["events/list", listOnOnePage({ events: CLIENT_TYPES.map(describeType), ...FOR_EVERYONE })],
    ["events/poll", pollEvents],
  ];
}

function describeType(name: EventType) {
  return {
    name,
    description: `Tells when ${EVENT_WORDS[name]}.`,
    delivery: ["poll", "webhook"],
    inputSchema: toSchema(argumentsOf(name)),
    payloadSchema: toSchema(OccurrenceData),
  };
}

function toSchema(schema: z.ZodType): object {
  const { $schema: _, ...described } = z.toJSONSchema(schema);
  return described;
}

const Asked = z.looseObject({ name: z.string(), arguments: z.unknown().optional() });

/** What a caller names: a type of events, and what narrows it. */
export function readAsked(params: Params): { name: EventType; args: EventArguments } {
  const { name, arguments: given } = readParams(Asked, params);
  const known = CLIENT_TYPES.find((type) => type === name);
  if (known === undefined) {
    const message = refuseName(name, { kind: "type", taker: "list of events" }, CLIENT_TYPES);
    throw new RpcError(RPC.notFound, message, { data: { kind: "event" } });
  }
  return { name: known, args: readParams(argumentsOf(known), given ?? {}, ["arguments"]) };
}

/** Reads members of the params; throws -32602, which names each fault by its place in them. */
export function readParams<Read>(schema: z.ZodType<Read>, given: unknown, place: string[] = []): Read {
  const read = schema.safeParse(given, { reportInput: true });
  if (read.success) return read.data;
  const problems: Problems = new Map();
  explainIssues(read.error.issues, place, problems);
  const told = Array.from(problems, ([field, sentences]) => `${field}: ${[...sentences].join(" ")}`);
  throw new RpcError(RPC.invalidParams, told.join(" "));
}

const Poll = z.looseObject({
  cursor: z.string().nullish(),
  maxEvents: z.int().min(1).nullish(),
  maxAgeMs: z.int().min(0).nullish(),
});

async function pollEvents(scope: CallScope, params: Params): Promise<string> {
  const { name, args } = readAsked(params);
  const { cursor, maxEvents, maxAgeMs } = readParams(Poll, params);
  const after = cursor === null || cursor === undefined ? null : readPlace(cursor);
  const { agent } = await admit(scope, "read");
  const { deps } = scope.context;
  // Behind a cursor may be the last that is told of a draft that was deleted since, or of a watch that ended.
  if (after === null) await checkNamed(deps, agent.id, args);
  const perPage = Math.min(maxEvents ?? MOST_EVENTS, MOST_EVENTS);
  const query = { after, isGiven: after !== null, types: [name], byOthers: args.by === "others" };
  const page = await readEvents(deps, agent.id, await placeQuery(deps, { ...query, perPage, waitMs: 0 }));
  const wanted = page.items.filter((item) => isWanted(args, item));
  const sinceMs = deps.now() - (maxAgeMs ?? Number.POSITIVE_INFINITY);
  const events = wanted.filter(({ timestamp }) => Date.parse(timestamp) >= sinceMs);
  return JSON.stringify({
    events: events.map((item) => toOccurrence(item)),
    cursor: page.cursor,
    truncated: page.hasGap || events.length < wanted.length,
    ...{ hasMore: page.hasMore, nextPollMs: NEXT_POLL_MS },
  });
}

/** Throws -32602 where arguments name a work, an agent or a question that there is not. */
export async function checkNamed(deps: Deps, agentId: string, args: EventArguments): Promise<void> {
  const faults = Object.entries(await findNamedNothing(deps, agentId, args));
  if (faults.length === 0) return;
  const told = faults.map(([name, [sentence]]) => `arguments.${name}: ${sentence}`);
  throw new RpcError(RPC.invalidParams, told.join(" "));
}

/** The position of a cursor; throws -32602. */
export function readPlace(cursor: string): number {
  const position = readCursor(cursor);
  if (position !== null) return position;
  throw new RpcError(RPC.invalidParams, "The cursor must be one that an answer gave, or null for now.");
}

/** Lets a caller in as its request would be let in; a refusal is told as the extension has it. */
export async function admit(scope: CallScope, kind: "read" | "write"): Promise<Caller> {
  const { context, request, reply } = scope;
  try {
    return await checkAgent(context, { kind, ability: ABILITY }, request, reply);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { code, message, retryAfterSeconds } = error;
    await challengeOf(scope, code, ABILITY);
    const { statusCode: httpStatus } = reply;
    if (retryAfterSeconds === null) {
      throw new RpcError(RPC.forbidden, message, { httpStatus, data: { reason: code } });
    }
    reply.header("retry-after", String(retryAfterSeconds));
    throw new RpcError(RPC.exhausted, message, { data: { limit: `${kind}s a minute` } });
  }
}
