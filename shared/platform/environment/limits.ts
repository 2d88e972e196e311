import { z } from "zod";
import { describeLimitValue, LIMIT_DEFAULTS, type Limits, readLimitValue } from "../../ground/limits.ts";
import { askWhetherMeant } from "../../ground/nearest-name.ts";

const START = "LIMIT_";

/** Reads LIMIT_… variables over the defaults; problems name the variable and its allowed values. */
export function readLimits(environment: Record<string, string | undefined>): {
  limits: Limits;
  problems: string[];
} {
  const problems: string[] = [];
  const entries = Object.entries(LIMIT_DEFAULTS).map(([name, byDefault]) => {
    const given = environment[`${START}${name}`];
    const key = name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
    const value = given === undefined ? byDefault : readLimitValue(key, given);
    if (value === null) problems.push(`${START}${name} cannot be used: ${describeLimitValue(key)}.`);
    return [key, value];
  });
  const known = Object.keys(LIMIT_DEFAULTS).map((name) => `${START}${name}`);
  for (const name of Object.keys(environment)) {
    if (name.startsWith(START) && !known.includes(name)) problems.push(describeUnknown(name, known));
  }
  return { limits: Object.fromEntries(entries) as Limits, problems };
}

function describeUnknown(name: string, known: readonly string[]): string {
  return `${name} is no limit of this service; see GET /docs/limits.${askWhetherMeant(name, known)}`;
}

const WHOLE = /^-?\d+$/;

/** A whole number in bounds, in decimal digits: `Number` alone also takes a blank, `0x10` and `1e3`. */
export function wholeNumber(least: number, most: number) {
  return z.string().trim().regex(WHOLE).transform(Number).pipe(z.number().min(least).max(most));
}

/** A path, which is anything but blanks. */
export function path() {
  return z.string().regex(/\S/);
}

/** A text that a function finds no fault in; the fault becomes the reason of the refusal. */
export function explained(explain: (text: string) => string | null, text = z.string().trim()) {
  return text.superRefine((given, context) => {
    const reason = explain(given);
    if (reason !== null) context.addIssue({ code: "custom", params: { reason } });
  });
}
