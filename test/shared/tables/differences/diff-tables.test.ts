import { expect, test } from "vitest";
import { presentCounts } from "../../../../shared/tables/differences/write-diff.ts";
import { runs } from "../../../support/depth.ts";
import { createRandom } from "../inspection/generated.ts";
import { type OracleTable, readTable } from "../rows/oracle/table.ts";
import { prepareFile, type ReadyFile } from "../rows/reading.ts";
import { compareReady, compareRefused, compareTexts } from "./comparing.ts";
import { type Expected, expectDiff } from "./oracle/expected.ts";
import { type MadePair, makePair, writeTable } from "./random-pairs.ts";

const PAIRS = runs(2_000);

/** A pair as prepared files; null for one that is no table, such as a JSON list of nothing. */
async function prepareBoth(pair: MadePair): Promise<{ base: ReadyFile; head: ReadyFile } | null> {
  const { format } = pair;
  const base = await prepareFile(writeTable(format, pair.base), format);
  const head = await prepareFile(writeTable(format, pair.head), format);
  return [base, head].every(({ file }) => file.inspection?.kind === "table") ? { base, head } : null;
}

async function count(base: ReadyFile, head: ReadyFile, key: string[] | null) {
  const outcome = await compareReady(base, head, { key });
  if (!outcome.ok) throw new Error(outcome.message);
  return { key: outcome.found.key, ...presentCounts(outcome.plan, outcome.found) };
}

/** The counts as the other direction has them; columns have an order of their own there. */
function mirror({ added, removed, by_column, ...rest }: Expected): Expected {
  return { ...rest, added: removed, removed: added, by_column: by_column.toSorted(byName) };
}

function byName(one: { name: string }, other: { name: string }): number {
  return one.name < other.name ? -1 : 1;
}

test(`counts equal those of a second implementation for ${PAIRS} seeded pairs, and mirror them`, async () => {
  const random = createRandom(11);
  const seen = { keyed: 0, wholes: 0, moved: 0, changed: 0 };
  for (let made = 0; made < PAIRS; made++) {
    const pair = makePair(random);
    const both = await prepareBoth(pair);
    if (both === null) continue;
    const { base, head } = both;
    const tables = [base, head].map(({ content }) => readTable(content, pair.format, null));
    const [ours, theirs] = (await Promise.all(tables)) as [OracleTable, OracleTable];
    const expected = expectDiff(ours, theirs, null);
    expect(await count(base, head, null), `${base.content}→\n${head.content}`).toEqual(expected);
    if (expected.key !== null) {
      const back = await count(head, base, expected.key);
      expect({ ...back, by_column: back.by_column.toSorted(byName) }).toEqual(mirror(expected));
    }
    seen[expected.key === null ? "wholes" : "keyed"]++;
    seen.moved += Math.min(expected.moved, 1);
    seen.changed += Math.min(expected.changed, 1);
  }
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(PAIRS / 40);
});

test("a key that does not identify the rows is refused with both rows, a CSV's header being row 1", async () => {
  const asked = { key: ["a"] };
  expect((await compareRefused("a,b\n1,x\n2,x\n1,y\n", "a,b\n1,x\n", "csv", asked)).errors).toEqual({
    key: [
      "Rows 2 and 4 of the base have the same key. Name columns that identify a row in both files, or leave key out.",
    ],
  });
  const head = '[{"a":1,"b":1},{"a":1,"b":2}]';
  expect((await compareRefused('[{"a":1,"b":1}]', head, "json", asked)).errors).toEqual({
    key: [
      "Rows 1 and 2 of the head have the same key. Name columns that identify a row in both files, or leave key out.",
    ],
  });
});

test("a preferred key is taken where it identifies the rows of both files, and left otherwise", async () => {
  const preferred = { preferredKey: ["b"] };
  const taken = await compareTexts("a,b\n1,x\n2,y\n", "a,b\n1,x\n3,y\n", "csv", preferred);
  expect([taken.found.key, taken.found.counts]).toEqual([["b"], [0, 0, 1, 0, 0]]);
  const left = await compareTexts("a,b\n1,x\n2,x\n", "a,b\n1,x\n3,y\n", "csv", preferred);
  expect(left.found.key).toEqual(["a"]);
  const unknown = await compareTexts("a\n1\n2\n", "a,b\n1,x\n3,y\n", "csv", preferred);
  expect(unknown.found.key).toEqual(["a"]);
});
