import { toIso } from "./times.ts";

/** These members of a row as answers give them, in this order: its times, `at` and every `…_at`, as timestamps. */
export function presentMembers<Row extends object, Name extends keyof Row & string>(
  row: Row,
  ...names: readonly Name[]
) {
  return Object.fromEntries(names.map((name) => [name, presentMember(name, row[name])])) as {
    [Each in Name]: Presented<Each, Row[Each]>;
  };
}

type Presented<Name, Value> = Name extends "at" | `${string}_at`
  ? Exclude<Value, number> | (number extends Value ? string : never)
  : Value;

function presentMember(name: string, value: unknown): unknown {
  return typeof value === "number" && /(?:^|_)at$/.test(name) ? toIso(value) : value;
}
