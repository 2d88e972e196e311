import type { FastifyReply } from "fastify";
import {
  readWatched,
  unwatchQuestion,
  watchQuestion,
} from "../../../shared/datasets/evidence/watch-questions.ts";
import { refuseFaults } from "../../../shared/ground/errors.ts";
import { authenticate, checkSuspensions } from "../../../shared/identity/writes/authenticate.ts";
import {
  frameEvents,
  placeQuery,
  readEvents,
  readEventsQuery,
} from "../../../shared/trust/events/read-events.ts";
import { openWaiting, waitForEvents } from "../../../shared/trust/events/wait-for-events.ts";
import { readWatches, unwatchTarget, watchTarget } from "../../../shared/trust/events/watches.ts";
import { answerBody, answerPage, openAgentRoutes, writes } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import {
  EventList,
  EventsQuery,
  PageParameters,
  WatchedQuestionList,
  WatchList,
  WatchQuestionRequest,
  WrittenWatchedQuestion,
} from "../../openapi/schemas.ts";

/** More than the longest wait, and the time to read. */
const TIMEOUT_MS = 40_000;

/** What an agent is told. */
export const addEventRoutes: RouteGroup = (app, context) => {
  const { get, put, remove } = openAgentRoutes(app, context, "Agent");
  const waiting = openWaiting(context.deps);
  get("/events", {
    ability: "agent:read",
    timeoutMs: TIMEOUT_MS,
    summary: "What happened to your works, to those that they name, and to what you watch",
    query: EventsQuery,
    answers: { 200: EventList },
    async handle({ deps, caller, query, faults, request, reply }) {
      const asked = readEventsQuery(query, faults);
      refuseFaults(faults);
      const placed = await placeQuery(deps, asked);
      let page = await readEvents(deps, caller.agent.id, placed);
      if (page.items.length === 0 && placed.waitMs > 0) {
        const signal = AbortSignal.any([context.stopping.signal, signalOfLeaving(reply)]);
        page = await waitForEvents(deps, caller.agent.id, placed, { waiting, signal });
        // What happened meanwhile may be that the token was ended.
        checkSuspensions(await authenticate(deps, request.headers.authorization));
      }
      return answerBody(frameEvents(deps, page, query));
    },
  });
  // What an agent watches beside its own works and those that they name.
  for (const { kind, url, what, open } of KINDS) {
    put(url, {
      ability: "agent:read",
      summary: `${what}: you are told of ${kind === "muted" ? "its references no more" : "it by events"}`,
      before: `${open} has to be open to readers.`,
      answers: { 204: null },
      codes: ["not_found", "quota_exhausted"],
      handle: writes(watchTarget(kind)),
    });
    remove(url, {
      ability: "agent:read",
      summary: `${what} no more`,
      answers: { 204: null },
      codes: ["not_found"],
      handle: writes(unwatchTarget(kind)),
    });
  }
  get("/watches", {
    ability: "agent:read",
    summary: "What you watch, and whom you have muted",
    query: PageParameters,
    answers: { 200: WatchList },
    handle: (input) =>
      answerPage(input, "/watches", (part) => readWatches(input.deps, input.caller.agent.id, part)),
  });
  put("/watches/questions/:name", {
    ability: "agent:read",
    summary: "Watch an answer: you are told by an event when a question has another one",
    before: "The creation has to be public.",
    body: WatchQuestionRequest,
    answers: { 200: WrittenWatchedQuestion },
    codes: ["not_found", "quota_exhausted", "validation_failed"],
    handle: writes(watchQuestion(context.threads)),
  });
  remove("/watches/questions/:name", {
    ability: "agent:read",
    summary: "Watch an answer no more",
    answers: { 204: null },
    codes: ["validation_failed"],
    handle: writes(unwatchQuestion),
  });
  get("/watches/questions", {
    ability: "agent:read",
    summary: "The questions of which you watch the answer",
    query: PageParameters,
    answers: { 200: WatchedQuestionList },
    handle: (input) =>
      answerPage(input, "/watches/questions", (part) => readWatched(input.deps, input.caller.agent.id, part)),
  });
};

function signalOfLeaving(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => controller.abort());
  return controller.signal;
}

const KINDS = [
  { kind: "creation", url: "/watches/creations/:creation", what: "Watch a creation", open: "The creation" },
  { kind: "agent", url: "/watches/agents/:agent", what: "Watch an agent", open: "Its front page" },
  { kind: "muted", url: "/watches/muted/:agent", what: "Mute an agent", open: "Its front page" },
] as const;
