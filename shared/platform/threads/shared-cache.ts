/** What a work borrowed: each gives one thing back. */
export type Loans = (() => void)[];

/** Does a work whose borrowed things stay as they are until it ends. */
export async function withLoans<Result>(work: (loans: Loans) => Promise<Result>): Promise<Result> {
  const loans: Loans = [];
  try {
    return await work(loans);
  } finally {
    for (const giveBack of loans) giveBack();
  }
}

/** A part of the memory, and what is kept there. */
interface Place {
  name: string;
  start: number;
  end: number;
  value: unknown;
  /** How many loans it has, and whoever fills it. */
  users: number;
}

/** Small things take some memory beside this one too. */
const LEAST_BYTES = 4_096;
/** Of the widest number of a typed array. */
const NUMBER_BYTES = 8;

interface State {
  mostBytes: number;
  /** What may not be written to, or only once it is forgotten. */
  taken: Set<Place>;
  kept: Map<string, Place>;
  /** Where what was taken last ends. */
  next: number;
}

/**
 * Creates an empty cache of at most so many bytes for what came last of what threads read without a copy, in one piece of
 * shared memory that is used again and again: V8 neither counts such memory nor hurries to collect it, so that a piece
 * for each file filled the machine.
 */
export function createSharedCache(mostBytes: number) {
  const state: State = { mostBytes, taken: new Set(), kept: new Map(), next: 0 };
  const { kept } = state;
  let memory: SharedArrayBuffer | null = null;
  const open = ({ start }: Place, byteCount: number): Buffer => {
    memory ??= new SharedArrayBuffer(mostBytes);
    return Buffer.from(memory, start, byteCount);
  };
  return {
    has: (name: string) => kept.has(name),
    /** What is kept under a name; nothing takes its place before the loan ends. */
    lend: (name: string, loans: Loans): unknown => {
      const place = kept.get(name);
      if (place === undefined) return undefined;
      place.users++;
      loans.push(() => leave(state, place));
      return place.value;
    },
    /** Keeps a copy of a value, whose typed arrays stand in the shared memory and are free where they stood. */
    keep: (name: string, value: unknown) => {
      const byteCount = countArrays(value);
      const place = take(state, name, byteCount);
      if (place !== null) enter(state, place, moveArrays(value, open(place, byteCount)));
    },
    /** Keeps bytes that somebody fills in, unless there is no room. */
    fill: async (name: string, byteCount: number, write: (bytes: Buffer) => Promise<unknown>) => {
      const place = take(state, name, byteCount);
      if (place === null) return;
      const bytes = open(place, byteCount);
      try {
        await write(bytes);
      } catch (error) {
        leave(state, place);
        throw error;
      }
      enter(state, place, bytes);
    },
  };
}

/** Takes the bytes behind those that were taken last, or the first ones again: what is kept there and unused goes. */
function take(state: State, name: string, byteCount: number): Place | null {
  const size = roundUp(Math.max(byteCount, 1), LEAST_BYTES);
  for (let start of [state.next, 0]) {
    while (start + size <= state.mostBytes) {
      const end = start + size;
      const inTheWay = [...state.taken].filter((place) => place.start < end && place.end > start);
      const used = inTheWay.find(({ users }) => users > 0);
      if (used === undefined) {
        for (const place of inTheWay) forget(state, place);
        const place = { name, start, end, value: null, users: 1 };
        state.taken.add(place);
        state.next = end;
        return place;
      }
      start = used.end;
    }
  }
  return null;
}

function enter(state: State, place: Place, value: unknown): void {
  const before = state.kept.get(place.name);
  if (before !== undefined) forget(state, before);
  state.kept.set(place.name, Object.assign(place, { value }));
  place.users--;
}

function leave({ kept, taken }: State, place: Place): void {
  place.users--;
  if (place.users === 0 && kept.get(place.name) !== place) taken.delete(place);
}

function forget({ kept, taken }: State, place: Place): void {
  kept.delete(place.name);
  if (place.users === 0) taken.delete(place);
}

function roundUp(bytes: number, unit: number): number {
  return unit * Math.ceil(bytes / unit);
}

type NumberArray = Uint8Array | Uint32Array | Float64Array;

function countArrays(value: unknown): number {
  let total = 0;
  mapArrays(value, (array) => {
    total += roundUp(array.byteLength, NUMBER_BYTES);
    return array;
  });
  return total;
}

/** A value whose arrays stand one after the other in other bytes; memory of their own is free at once. */
function moveArrays(value: unknown, to: Buffer): unknown {
  let at = to.byteOffset;
  return mapArrays(value, (array) => {
    const kind = array.constructor as new (
      memory: ArrayBufferLike,
      at: number,
      length: number,
    ) => NumberArray;
    const moved = new kind(to.buffer, at, array.length);
    moved.set(array);
    at += roundUp(array.byteLength, NUMBER_BYTES);
    if (array.buffer instanceof ArrayBuffer) array.buffer.transfer(0);
    return moved;
  });
}

/** A value with other arrays in place of its own. */
function mapArrays(value: unknown, change: (array: NumberArray) => NumberArray): unknown {
  if (ArrayBuffer.isView(value)) return change(value as NumberArray);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapArrays(member, change)]));
}
