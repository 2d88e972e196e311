import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../ground/times.ts";

/** The pauses before each try, counted from the end of the try before it; the first is sent at once. */
export const PAUSES_MS: readonly number[] = [
  ...[0, 5_000, 5 * MINUTE_MS, 30 * MINUTE_MS],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR_MS),
];
/** Nobody is asked for consent again and again. */
const TRIES_FOR_CONSENT = 4;
/** Receivers that were away together do not come back together. */
const SPREAD = 0.1;
const LONGEST_WISH_MS = DAY_MS;
const BUSY = new Set([429, 503]);

/** When a try that failed is repeated; null after the last one. `fraction` is random, from 0 to under 1. */
export function planNextTry(of: {
  tries: number;
  isConsent: boolean;
  nowMs: number;
  retryAfterMs: number | null;
  fraction: number;
}): number | null {
  const most = of.isConsent ? TRIES_FOR_CONSENT : PAUSES_MS.length;
  const pauseMs = of.tries < most ? PAUSES_MS[of.tries] : undefined;
  if (pauseMs === undefined) return null;
  const spreadMs = Math.round(pauseMs * (1 - SPREAD + 2 * SPREAD * of.fraction));
  return of.nowMs + Math.max(spreadMs, of.retryAfterMs ?? 0);
}

/** For how long a receiver asked us to wait, a day at most; null where it did not say so. */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  const ms = /^\d{1,10}$/.test(text) ? Number(text) * 1000 : Date.parse(text) - nowMs;
  return ms > 0 ? Math.min(ms, LONGEST_WISH_MS) : null;
}

/** Until when nothing at all is sent to a receiver that said it is busy. */
export function planRest(status: number | null, retryAfterMs: number | null, nowMs: number): number | null {
  return status !== null && BUSY.has(status) && retryAfterMs !== null ? nowMs + retryAfterMs : null;
}
