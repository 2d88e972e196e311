import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { AUDITED_NOUNS } from "../../../../shared/care/administration/list-entries.ts";
import { describeAct } from "../../../../shared/identity/audit/act-words.ts";
import { EVENT_TYPES } from "../../../../shared/trust/events/present-event.ts";

/** What agents are told and what files of the log are called, which are no acts. */
const OTHERS: ReadonlySet<string> = new Set([...EVENT_TYPES, "log.key", "log.size", "witness.sizes"]);
const ROOT = join(import.meta.dirname, "../../../..");

test("every act has words", () => {
  const named = new RegExp(`"((?:${AUDITED_NOUNS.join("|")})\\.[a-z_]+)"`, "g");
  const acts = globSync("shared/**/*.ts", { cwd: ROOT })
    .flatMap((file) => [...readFileSync(join(ROOT, file), "utf8").matchAll(named)])
    .map((found) => found[1] ?? "")
    .filter((name) => !name.endsWith(".json") && !OTHERS.has(name));
  expect(new Set(acts).size).toBeGreaterThan(40);
  expect(acts.filter((act) => describeAct(act) === act)).toEqual([]);
});
