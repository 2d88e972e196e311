import { expect, it } from "vitest";
import type { CodedTable } from "../../../../shared/tables/questions/coded-table.ts";
import { listCodedColumns } from "../../../../shared/tables/questions/question.ts";
import { answerQuery } from "../../../../shared/tables/questions/write-page.ts";
import { createRandom } from "../inspection/generated.ts";
import { prepareFile } from "../rows/reading.ts";
import { asJson, makeInput } from "./asking.ts";
import { makeQuestion, makeRows, NAMES, toCsv } from "./random-questions.ts";

const FILE = { assetId: "01M7WVM8W0T8NYB19BE1ATAT9N", contentSha256: "2cf2" };

/** Asks question after question as the reader of a process does, which keeps what threads coded. */
async function openChain(text: string) {
  const ready = await prepareFile(text, "csv");
  let known: CodedTable | null = null;
  const ask = async (question: object) => {
    const made = await makeInput(ready, asJson(question));
    if (!made.ok) throw new Error(`the test asks wrongly: ${JSON.stringify(made.errors)}`);
    const cold = answerQuery(made.input, FILE);
    const names = listCodedColumns(made.input.plan.question);
    const sent: CodedTable | null = known && pick(known, (name) => names.has(name));
    const warm = answerQuery({ ...made.input, coded: sent }, FILE);
    const added: CodedTable | null = warm.ok ? warm.added : null;
    if (added !== null) {
      const kept = known && pick(known, (name) => added.columns.every((column) => column.name !== name));
      known = { ...added, columns: [...(kept?.columns ?? []), ...added.columns] };
    }
    const told = (answer: typeof warm) => (answer.ok ? Buffer.from(answer.json).toString() : answer);
    return { cold: told(cold), warm: told(warm) };
  };
  return ask;
}

function pick(coded: CodedTable, isWanted: (name: string) => boolean): CodedTable {
  return { ...coded, columns: coded.columns.filter(({ name }) => isWanted(name)) };
}

it("answers from kept columns are those of a file that nobody asked before", async () => {
  const random = createRandom(20_261_127);
  for (let table = 0; table < 20; table++) {
    const rows = makeRows(random);
    const ask = await openChain(toCsv(rows));
    const texts = rows.flatMap((row) => Object.values(row));
    for (let turn = 0; turn < 20; turn++) {
      const question = makeQuestion(random, NAMES, texts);
      const { cold, warm } = await ask(question);
      expect({ question, answer: warm }).toEqual({ question, answer: cold });
    }
  }
});
