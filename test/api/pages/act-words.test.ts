import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { describeAct } from "../../../api/pages/console/act-words.ts";
import { EVENT_TYPES } from "../../../shared/events/event-types.ts";
import { ACT_NOUNS } from "../../../shared/owners/audit-log.ts";

/** What agents are told, which is no act. */
const EVENTS: ReadonlySet<string> = new Set(EVENT_TYPES);
const ROOT = join(import.meta.dirname, "../../..");

test("every act that an owner can read has words", () => {
  const named = new RegExp(`"((?:${ACT_NOUNS.join("|")})\\.[a-z_]+)"`, "g");
  const acts = globSync("shared/**/*.ts", { cwd: ROOT })
    .flatMap((file) => [...readFileSync(join(ROOT, file), "utf8").matchAll(named)])
    .map((found) => found[1] ?? "")
    .filter((name) => !name.endsWith(".json") && !EVENTS.has(name));
  expect(new Set(acts).size).toBeGreaterThan(40);
  expect(acts.filter((act) => describeAct(act) === act)).toEqual([]);
});
