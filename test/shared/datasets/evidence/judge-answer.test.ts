import { expect, test } from "vitest";
import { judgeChart } from "../../../../shared/datasets/evidence/judge-answer.ts";
import { readQuestionObject } from "../../../../shared/tables/questions/read-question.ts";

const SOURCE = JSON.stringify({
  mark: "bar",
  data: { from: { asset_id: "0".repeat(26), content_sha256: "0".repeat(64) } },
  encoding: { x: { field: "k", type: "nominal" }, y: { field: "v", type: "quantitative" } },
});
const { question } = readQuestionObject({});

test.each<[before: string, now: string, state: string]>([
  ["12345678901234567890", "12345678901234567890.0", "holds"],
  ["12345678901234567890", "12345678901234567891", "differs"],
  ["0.123456789012345678901", "0.123456789012345678902", "differs"],
  ["1.50", "1.5", "holds"],
  ["1e-400", "0", "differs"],
])("a chart of %s, where the newest data say %s, %s", (before, now, state) => {
  const answerOf = (value: string) => ({ columns: ["k", "v"], rows: [["a", value]] });
  const rows = JSON.stringify({ format: "csv", ...answerOf(before) });
  const found = {
    json: Buffer.from(JSON.stringify({ ...answerOf(now), returned: 1, matched: 1, groups: null, total: 1 })),
    file: { format: "csv" as const, read_sha256: "0".repeat(64) },
    blanks: { blank: [], blankOf: [], blankFrom: "question" as const },
  };
  expect(judgeChart({ source: SOURCE, rows }, question, 100, found)).toMatchObject({ state });
});
