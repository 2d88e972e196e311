import { type JsonPlace, refuseJson } from "./json-faults.ts";

/** Checks the form and the length of JSON numbers. */
export interface NumberCheck {
  /** The first character comes next. */
  start(): void;
  /** Reads on from `at` and gives the index of the first character that is not part of the number. */
  read(text: string, at: number): number;
  /** Throws `FileRefused` where the number is not complete before `at`. */
  finish(text: string, at: number): void;
  countBytes(): number;
}

// Classes: "-" 0, "0" 1, digits 1 to 9 2, "." 3, "e" and "E" 4, "+" 5, all others 6.
const CLASS_OF_CODE = new Uint8Array(128).fill(6);
for (let code = 0x31; code <= 0x39; code++) CLASS_OF_CODE[code] = 2;
for (const [character, kind] of Object.entries({ "-": 0, "0": 1, ".": 3, e: 4, E: 4, "+": 5 })) {
  CLASS_OF_CODE[character.charCodeAt(0)] = kind;
}

const STARTED = 0;
const END = 9;
// States: start, after "-", "0", integer, after ".", fraction, after "e", after its sign, exponent.
const NEXT = Uint8Array.from([
  ...[1, 2, 3, END, END, END, END],
  ...[END, 2, 3, END, END, END, END],
  ...[END, END, END, 4, 6, END, END],
  ...[END, 3, 3, 4, 6, END, END],
  ...[END, 5, 5, END, END, END, END],
  ...[END, 5, 5, END, 6, END, END],
  ...[7, 8, 8, END, END, 7, END],
  ...[END, 8, 8, END, END, END, END],
  ...[END, 8, 8, END, END, END, END],
]);
const COMPLETE = new Set([2, 3, 5, 8]);

/** Starts the check of numbers for one document. */
export function createNumberCheck(place: JsonPlace): NumberCheck {
  let state = STARTED;
  let characters = 0;
  return {
    start: () => {
      state = STARTED;
      characters = 0;
    },
    read: (text, from) => {
      let at = from;
      for (; at < text.length; at++) {
        const next = NEXT[state * 7 + (CLASS_OF_CODE[text.charCodeAt(at)] ?? 6)] ?? END;
        if (next === END) break;
        state = next;
      }
      characters += at - from;
      return at;
    },
    finish: (text, at) => {
      if (!COMPLETE.has(state)) throw refuseJson(place, text, at, "number");
    },
    countBytes: () => characters,
  };
}
