import type { QueuedRequest } from "../../../../api/http/hooks/burst-queue.ts";
import type { Pressure } from "../../../../api/http/hooks/pressure.ts";

export const SETTINGS = { mostAtOnce: 20, leastAtOnce: 5, answerMs: 300, waitMs: 250, crowd: 4 };
export const TICK_MS = 20;

/** Requests that come at once and wait; counts what became of them. */
export function openCrowd(pressure: Pressure) {
  const crowd = {
    begun: 0,
    turnedAway: 0,
    refused: 0,
    come(count: number, nowMs: number) {
      for (let each = 0; each < count; each++) {
        if (!pressure.mayCome(nowMs)) crowd.refused++;
        else if (pressure.beginAtOnce()) crowd.begun++;
        else pressure.wait(queued, nowMs);
      }
    },
  };
  const queued: QueuedRequest = {
    begin: () => void crowd.begun++,
    turnAway: () => void crowd.turnedAway++,
    hasLeft: () => false,
  };
  return crowd;
}
