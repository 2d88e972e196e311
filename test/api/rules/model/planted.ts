import type { Answer } from "./calls.ts";
import type { System } from "./system.ts";

interface Planted {
  bug: string;
  /** Its first sequence finds the bug; to be looked for again when the steps are drawn otherwise. */
  seed: number;
  plant(system: System): System;
}

/** The bugs that the model must find, one at a time. */
export const PLANTED: Planted[] = [
  {
    bug: "cancelling a schedule leaves a gap in lock_version",
    seed: 2,
    plant(system) {
      const tell = ({ view, ...answer }: Answer): Answer => {
        const isCancelled = view?.schedule?.status === "cancelled";
        return { ...answer, view: view && { ...view, lock: view.lock + Number(isCancelled) } };
      };
      return {
        ...system,
        call: async (request) => tell(await system.call(request)),
        lookAt: async (place) => tell(await system.lookAt(place)),
      };
    },
  },
  {
    bug: "a minor update moves updated_at",
    seed: 2,
    plant: (system) => ({
      ...system,
      call: (request) => system.call(request.kind === "patch" ? { ...request, minor: false } : request),
    }),
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
    bug: "a due schedule waits for ever",
    seed: 4,
    plant: (system) => ({ ...system, wait: (untilMs) => system.wait(untilMs, false) }),
  },
];
