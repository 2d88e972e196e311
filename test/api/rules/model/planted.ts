import type { Answer, CreationView, Request } from "./calls.ts";
import type { System } from "./system.ts";

interface Planted {
  bug: string;
  /** Its first sequence finds the bug; to be looked for again when the steps are drawn otherwise. */
  seed: number;
  plant(system: System): System;
}

/** A system that is asked something else than what was to be asked. */
function asks(change: (request: Request) => Request): Planted["plant"] {
  return (system) => ({ ...system, call: (request) => system.call(change(request)) });
}

/** A system whose creations are told otherwise than they are, after a call as on a later look. */
function tells(change: (view: CreationView) => CreationView): Planted["plant"] {
  const told = (answer: Answer) => ({ ...answer, view: answer.view && change(answer.view) });
  return (system) => ({
    ...system,
    call: async (request) => told(await system.call(request)),
    lookAt: async (place) => told(await system.lookAt(place)),
  });
}

/** The bugs that the model must find, one at a time. */
export const PLANTED: Planted[] = [
  {
    bug: "cancelling a schedule leaves a gap in lock_version",
    seed: 2,
    plant: tells((view) => ({ ...view, lock: view.lock + (view.schedule?.status === "cancelled" ? 1 : 0) })),
  },
  {
    bug: "a minor update moves updated_at",
    seed: 2,
    plant: asks((request) => (request.kind === "patch" ? { ...request, minor: false } : request)),
  },
  {
    bug: "an update needs no change_summary",
    seed: 3,
    plant: asks((request) => (request.kind === "patch" ? { ...request, summary: true } : request)),
  },
  {
    bug: "If-Match * passes as any version",
    seed: 1,
    plant: (system) => ({
      ...system,
      async call(request) {
        if (request.ifMatch !== "*" || typeof request.creation !== "number")
          return await system.call(request);
        const { view } = await system.lookAt(request.creation);
        return await system.call({ ...request, ifMatch: view && String(view.lock) });
      },
    }),
  },
  {
    bug: "an older revision_id publishes the latest revision",
    seed: 2,
    plant: (system) => ({
      ...system,
      async call(request) {
        const { revision, creation, kind } = request;
        if (kind !== "publish" || revision === "unknown" || revision.creation !== creation)
          return await system.call(request);
        const { view } = await system.lookAt(creation);
        const number = view?.latest.number ?? revision.number;
        return await system.call({ ...request, revision: { creation, number } });
      },
    }),
  },
  {
    bug: "a retry under its key is carried out again",
    seed: 4,
    plant(system) {
      let count = 0;
      return {
        ...system,
        call: (request) => system.call({ ...request, key: request.key && `${request.key}-${count++}` }),
      };
    },
  },
  {
    bug: "a schedule forgets its visibility",
    seed: 2,
    plant: asks((request) =>
      request.kind === "schedule" && request.visibility !== "secret"
        ? { ...request, visibility: null }
        : request,
    ),
  },
  {
    bug: "a restored creation is unlisted unless told otherwise",
    seed: 6,
    plant: asks((request) =>
      request.kind === "restore" && request.visibility === null
        ? { ...request, visibility: "unlisted" }
        : request,
    ),
  },
  {
    bug: "the pause is told but not carried out",
    seed: 1,
    plant: (system) => ({
      ...system,
      order: async (order) => (order.order === "pause" ? null : await system.order(order)),
      lookAtAgent: system.lookAtAgent,
    }),
  },
  {
    bug: "a hidden creation can be published",
    seed: 2,
    plant: (system) => ({
      ...system,
      async call(request) {
        if (request.kind !== "publish" || typeof request.creation !== "number")
          return await system.call(request);
        const { creation } = request;
        await system.order({ kind: "creation", order: "unhide", creation, number: 1 });
        return await system.call(request);
      },
    }),
  },
  {
    bug: "the daily limit is not reset at midnight",
    seed: 1,
    plant(system) {
      let published = 0;
      return {
        ...system,
        async call(request) {
          const before = await system.lookAtAgent();
          const answer = await system.call(request);
          const after = await system.lookAtAgent();
          published += Math.max(0, (before?.publications ?? 0) - (after?.publications ?? 0));
          return answer;
        },
        async lookAtAgent() {
          const view = await system.lookAtAgent();
          return view && { ...view, publications: Math.max(0, 2 - published) };
        },
      };
    },
  },
  {
    bug: "a due schedule waits for ever",
    seed: 4,
    plant: (system) => ({ ...system, wait: (untilMs) => system.wait(untilMs, false) }),
  },
  {
    bug: "unpublishing leaves the schedule pending",
    seed: 5,
    plant: tells((view) =>
      view.visibility === "private" && view.firstMs !== null && view.schedule?.status === "cancelled"
        ? { ...view, schedule: { ...view.schedule, status: "pending" } }
        : view,
    ),
  },
];
