import type { Client } from "./client.ts";
import { heartbeat, pause, rotate, saveFrontPage } from "./owner-acts.ts";
import type { Stack } from "./stack.ts";
import {
  attachOrDelete,
  cancelSchedule,
  changeVisibility,
  createOnce,
  type Play,
  publish,
  saveAtOnce,
  schedule,
  unpublish,
  uploadAtOnce,
} from "./works.ts";

/** What an agent may do next, and how often it does. */
export function listPlays({ service }: Pick<Stack, "service">): [number, Play][] {
  const { deps, databaseUrl } = service;
  return [
    [4, createOnce],
    [3, attachOrDelete],
    [2, uploadAtOnce],
    [5, saveAtOnce],
    [6, publish],
    [3, unpublish],
    [2, changeVisibility],
    [3, schedule(deps.now)],
    [1, cancelSchedule],
    [1, pause(deps)],
    [1, rotate(deps, databaseUrl)],
    [1, saveFrontPage],
    [1, heartbeat],
  ];
}

/** Does one thing after the other, chosen by the client's seed, until the moment is over. */
export async function play(client: Client, plays: readonly [number, Play][], isOver: () => boolean) {
  const all = plays.reduce((sum, [weight]) => sum + weight, 0);
  while (!isOver()) {
    let left = client.random() * all;
    const chosen = plays.find(([weight]) => {
      left -= weight;
      return left < 0;
    });
    await chosen?.[1](client);
  }
}
