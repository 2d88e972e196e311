import { expect, test } from "vitest";
import { connectAuthor } from "../../../support/agent.ts";
import { openService } from "../../../support/service.ts";
import { openRowAppends, type Part } from "./append-rows.ts";

const service = await openService();
const agent = await connectAuthor(service);
const { makeDataset, append, appendForm } = openRowAppends(service, agent);

test("a rule that the whole breaks names rows of the whole, and says where those begin that were sent", async () => {
  const dictionary = { primary_key: ["id"], columns: [{ name: "id" }, { name: "mm", minimum: 0 }] };
  const keyed = await makeDataset([["Rain", "rain.csv", "id,mm\n1,0\n2,5\n"]], { dictionary });
  const whole = "Rows are those of the whole file, where yours begin with row 4.";
  const rows = [
    { id: 3, mm: 1 },
    { id: 2, mm: -1 },
  ];
  const refused = {
    "payload.attachments.0.dictionary.primary_key": [`Row 5 repeats the key of row 3. ${whole}`],
    "payload.attachments.0.dictionary.columns.1.minimum": [`Row 5 holds -1, below 0. ${whole}`],
  };
  expect((await append(keyed, { rows })).json.errors).toEqual(refused);
  const file: Part = ["file", "id,mm\n3,1\n2,-1\n", "today.csv"];
  expect((await appendForm(keyed, [file])).json.errors).toEqual(refused);
  const lines = await makeDataset([["Rain", "rain.jsonl", '{"id":1,"mm":0}\n']], { dictionary });
  expect(Object.values((await append(lines, { rows: [{ id: 1, mm: 1 }] })).json.errors)).toEqual([
    ["Row 2 repeats the key of row 1. Rows are those of the whole file, where yours begin with row 2."],
  ]);
});
