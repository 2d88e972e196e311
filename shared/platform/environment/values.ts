import { z } from "zod";

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
