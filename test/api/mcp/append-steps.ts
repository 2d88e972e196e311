import { randomUUID } from "node:crypto";
import type { Step } from "./step.ts";

const append = (says: string, rows: object[], lock_version: number): Step => {
  const key = randomUUID();
  return {
    tool: "append_rows",
    says,
    args: ({ dataset }) => ({ creation_id: dataset.id, rows, lock_version, idempotency_key: key }),
    rest: ({ dataset }) => ({
      method: "POST",
      path: `/creations/${dataset.id}/append`,
      body: { rows },
      ifMatch: lock_version,
      key,
    }),
  };
};

/** A published dataset that grows. */
export const APPENDING: Step[] = [
  append("an old version", [{ a: 5, b: null }], 1),
  append("no rows", [], 2),
  append("a misspelt column", [{ a: 5, bb: null }], 2),
  append("good", [{ a: 5, b: null }], 2),
];
