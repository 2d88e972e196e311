/** One thing that was looked at: a line of `doctor`. */
export interface Finding {
  check: string;
  status: "ok" | "warn" | "fail";
  detail: string;
  /** What to do about it; null where nothing need be done. */
  mend: string | null;
}

/** All is well here. */
export function ok(check: string, detail: string): Finding {
  return { check, status: "ok", detail, mend: null };
}

/** It works, but somebody should look. */
export function warn(check: string, detail: string, mend: string): Finding {
  return { check, status: "warn", detail, mend };
}

/** It does not work, or data is in danger. */
export function fail(check: string, detail: string, mend: string): Finding {
  return { check, status: "fail", detail, mend };
}
