import type { FastifyReply } from "fastify";
import { refuseFaults } from "../../../shared/ground/errors.ts";
import { authenticate, checkSuspensions } from "../../../shared/identity/writes/authenticate.ts";
import {
  frameEvents,
  placeQuery,
  readEvents,
  readEventsQuery,
} from "../../../shared/trust/events/read-events.ts";
import { openWaiting, waitForEvents } from "../../../shared/trust/events/wait-for-events.ts";
import { answerBody, openAgentRoutes } from "../../http/agent-route.ts";
import type { RouteGroup } from "../../http/context.ts";
import { EventList, EventsQuery } from "../../openapi/schemas.ts";

/** More than the longest wait, and the time to read. */
const TIMEOUT_MS = 40_000;

/** What an agent is told. */
export const addEventRoutes: RouteGroup = (app, context) => {
  const { get } = openAgentRoutes(app, context, "Agent");
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
};

function signalOfLeaving(reply: FastifyReply): AbortSignal {
  const controller = new AbortController();
  reply.raw.once("close", () => controller.abort());
  return controller.signal;
}
