import { expect, test } from "vitest";
import { joinInserts } from "../../../../shared/platform/jobs/join-inserts.ts";

const insert = (queue: string) => `
    WITH ins AS (
      INSERT INTO jobs SELECT $1::json, '${queue}' ON CONFLICT DO NOTHING RETURNING id, start_after
    ),
    notified AS (
      SELECT pg_notify('channel', '${queue}') FROM ins WHERE start_after <= now() LIMIT 1
    )
    SELECT id FROM ins WHERE (SELECT count(*) FROM notified) >= 0
  `;
const known = ["one", "two"].map((queue) => ({ text: insert(queue), values: [queue] }));

test("inserts of the known form are joined to one, each with its own names and value, in their order", () => {
  const [joined, ...others] = joinInserts(known);
  expect([others, joined?.values]).toEqual([[], ["one", "two"]]);
  const text = joined?.text.replace(/\s+/g, " ") ?? "";
  expect(text).toMatch(
    /^WITH ins_0 AS \(.*\), notified_0 AS \(.*\), ins_1 AS \(.*\), notified_1 AS \(.*\) SELECT/,
  );
  expect(text).toContain("SELECT $2::json, 'two'");
  expect(text).toMatch(
    /FROM ins_0 WHERE \(SELECT count\(\*\) FROM notified_0\) >= 0 UNION ALL SELECT id FROM ins_1/,
  );
});

test("one alone, and several of which one has another form, stay as they are", () => {
  expect(joinInserts(known.slice(0, 1))).toEqual(known.slice(0, 1));
  const odd = { text: "INSERT INTO jobs SELECT $1 RETURNING id", values: ["odd"] };
  expect(joinInserts([...known, odd])).toEqual([...known, odd]);
});
