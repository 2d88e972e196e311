const OLD_WARN_SECONDS = 60;
const OLD_FAIL_SECONDS = 15 * 60;

/** The result of one check: a line of `doctor`. */
export interface Finding {
  check: string;
  status: "ok" | "warn" | "fail";
  detail: string;
  /** The fix; null where none is needed. */
  mend: string | null;
}

/** The finding that a check passed. */
export function ok(check: string, detail: string): Finding {
  return { check, status: "ok", detail, mend: null };
}

/** The finding that something works but needs attention. */
export function warn(check: string, detail: string, mend: string): Finding {
  return { check, status: "warn", detail, mend };
}

/** The finding that something does not work or that data is in danger. */
export function fail(check: string, detail: string, mend: string): Finding {
  return { check, status: "fail", detail, mend };
}

/** The finding about work that has waited for so long. */
export function judgeWait(check: string, seconds: number, detail: string, mend: string): Finding {
  if (seconds > OLD_FAIL_SECONDS) return fail(check, detail, mend);
  return seconds > OLD_WARN_SECONDS ? warn(check, detail, mend) : ok(check, detail);
}
