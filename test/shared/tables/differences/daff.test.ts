import daff from "daff";
import { expect, test } from "vitest";
import { runs } from "../../../support/depth.ts";
import { createRandom } from "../inspection/generated.ts";
import { prepareFile } from "../rows/reading.ts";
import { compareReady, compareTexts } from "./comparing.ts";
import { makePair, writeTable } from "./random-pairs.ts";
import { viewOf, writeAll } from "./writing.ts";

const PAIRS = runs(2_000);

function parse(text: string): daff.TableView {
  const table = new daff.TableView([]);
  new daff.Csv().parseTable(text, table);
  return table;
}

/** The cells of a table by the names of its columns; daff writes nothing as null or as an empty text. */
function toRecords({ data: [names = [], ...rows] }: daff.TableView): string[] {
  return rows.map((row) => {
    const cells = names.map((name, at): [string, unknown] => [String(name), row[at] ?? ""]);
    return JSON.stringify(cells.sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}

function patch(base: string, diff: string): string[] {
  const table = parse(base);
  new daff.HighlightPatch(table, parse(diff)).apply();
  return toRecords(table);
}

/** Daff reads NULL as no value, and does not find rows by it again. */
function hasNull(...texts: string[]): boolean {
  return texts.some((text) => text.includes("NULL"));
}

test(`daff makes the newer table of all.csv for the keyed pairs of ${PAIRS}, in order`, async () => {
  const random = createRandom(21);
  let patched = 0;
  for (let made = 0; made < PAIRS; made++) {
    const { format, base, head } = makePair(random);
    const [before, after] = [writeTable("csv", base), writeTable("csv", head)];
    if (format === "json" || hasNull(before, after)) continue;
    const outcome = await compareReady(await prepareFile(before, "csv"), await prepareFile(after, "csv"));
    if (!outcome.ok || outcome.found.key === null) continue;
    const diff = writeAll(viewOf(outcome), "csv");
    expect(patch(before, diff), `${before}→\n${after}by\n${diff}`).toEqual(toRecords(parse(after)));
    patched++;
  }
  expect(patched).toBeGreaterThan(PAIRS / 5);
});

test("all.csv has columns that come, go and move, arrows that no cell holds, and the rows around", async () => {
  const base = "id,a,b\n1,x,y\n2,p->q,r\n3,s,t\n4,u,v\n5,w,w\n6,z,z\n";
  const head = "id,b,c,a\n1,y,,x\n2,r,new,p\n4,v,,u\n5,w,,w\n6,z,,z\n";
  const { compared, csv } = await writeBoth(base, head);
  expect(compared.found.key).toEqual(["id"]);
  expect(csv.split("\r\n")).toEqual([
    "!,,:,+++,",
    "@@,id,b,c,a",
    ",1,y,,x",
    "-->,2,r,new,p->q-->p",
    "---,3,t,,s",
    ",4,v,,u",
    "...,...,...,...,...",
    "",
  ]);
});

test("a cell that changes by spaces alone is a row less and a row more, as programs mark such spaces", async () => {
  const { csv } = await writeBoth("id,a\n1,x y\n2,z\n", "id,a\n1,xy\n2,z\n");
  expect(csv).toBe("@@,id,a\r\n---,1,x y\r\n+++,1,xy\r\n,2,z\r\n");
});

test("a value of a new column alone is marked by one plus", async () => {
  const { csv } = await writeBoth("id\n1\n2\n", "id,a\n1,\n2,x\n");
  expect(csv).toBe("!,,+++\r\n@@,id,a\r\n,1,\r\n+,2,x\r\n");
});

async function writeBoth(base: string, head: string) {
  const compared = await compareTexts(base, head);
  return { compared, csv: writeAll(viewOf(compared), "csv") };
}
