import { mapShown } from "../../shared/requests/work-members.ts";
import written from "./examples.json" with { type: "json" };

/** The public JSON of works, whose examples leave out members of the payload that they have nothing to show for. */
const WORKS = ["PublicCreation.", "PublicRevision."];

/** The examples of examples.json, named Schema.example. */
export const EXAMPLES: Readonly<Record<string, object>> = Object.fromEntries(
  Object.entries(written).map(([name, example]) => [
    name,
    WORKS.some((start) => name.startsWith(start)) ? completeWork(example) : example,
  ]),
);

function completeWork(example: object): object {
  const { data } = example as { data?: object };
  const missing = { ...mapShown("text", () => null), ...mapShown("address", () => null) };
  return { ...example, data: { ...data, ...pickMissing(missing, data ?? {}) } };
}

function pickMissing(members: object, known: object): object {
  return Object.fromEntries(Object.entries(members).filter(([name]) => !Object.hasOwn(known, name)));
}
