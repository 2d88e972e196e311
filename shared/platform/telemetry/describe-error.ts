import { cutSecrets } from "./cut-secrets.ts";

/** How deep an error's causes are told. */
const MOST_CAUSES = 4;
/** What says where an error arose. Every other member stays out: statements, values and rows hold people's texts. */
const TOLD = ["code", "errno", "syscall", "status", "schema", "table", "column", "constraint", "routine"];

/** An error as the log and the traces tell it: its kind, its sentence, where it arose, and its causes likewise. */
export interface DescribedError {
  type: string;
  message: string;
  stack: string;
  cause?: DescribedError;
  [told: string]: unknown;
}

/** Describes an error without the members in which libraries keep statements, values and rows. */
export function describeError(error: unknown, depth = 0): DescribedError {
  if (!(error instanceof Error)) return { type: typeof error, message: cutSecrets(String(error)), stack: "" };
  const members: Record<string, unknown> = { ...error };
  const told = TOLD.flatMap((name) => (isPlain(members[name]) ? [[name, members[name]]] : []));
  const cause = error.cause === undefined || depth >= MOST_CAUSES ? null : error.cause;
  return {
    type: error.constructor.name,
    message: cutSecrets(error.message),
    stack: cutSecrets(error.stack ?? ""),
    ...Object.fromEntries(told),
    ...(cause === null ? {} : { cause: describeError(cause, depth + 1) }),
  };
}

function isPlain(value: unknown): boolean {
  return typeof value === "string" || typeof value === "number";
}
