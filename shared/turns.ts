import { createSlots, type Slots } from "./slots.ts";

/** Runs work under a name, a few of one name at once; more of that name waits in order, and holds nobody else up. */
export type Turns = <Result>(name: string, work: () => Promise<Result>) => Promise<Result>;

/** Opens the turns of one process, `most` at once for each name. */
export function openTurns(most: number): Turns {
  const open = new Map<string, { inSlot: Slots; users: number }>();
  return async (name, work) => {
    const turns = open.get(name) ?? { inSlot: createSlots(most), users: 0 };
    open.set(name, turns);
    turns.users++;
    try {
      return await turns.inSlot(work);
    } finally {
      turns.users--;
      if (turns.users === 0) open.delete(name);
    }
  };
}
