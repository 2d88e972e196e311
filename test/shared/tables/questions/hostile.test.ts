import { expect, it } from "vitest";
import { findNearestName } from "../../../../shared/ground/nearest-name.ts";
import { readQuestion } from "../../../../shared/tables/questions/read-question.ts";
import { runs } from "../../../support/depth.ts";
import { leastCpuMs } from "../../../support/growth.ts";
import { createRandom, pick, type Random } from "../inspection/generated.ts";
import { asJson, ask, prepareFile } from "./asking.ts";

const QUESTIONS = runs(10_000);

const MEMBERS = [
  ...["table", "filter", "match", "q", "blank", "group", "aggregate", "having", "sort", "columns", "facet"],
  ...["facet_size", "offset", "limit", "question", "__proto__", "constructor", "from", "tabel"],
];
const PARTS = ["column", "op", "value", "by", "step", "as", "order", "__proto__", "toString", "valuee"];
const LEAVES: readonly unknown[] = [
  ...[
    "a",
    "b",
    "__proto__",
    "constructor",
    "a[0]",
    'say "hi"',
    "line\nbreak",
    "",
    "\ud800",
    "😀",
    "x".repeat(2_000),
  ],
  ...[
    "in",
    "gt",
    "eq",
    "sum",
    "avg",
    "median",
    "min",
    "count_distinct",
    "count",
    "week",
    "hour",
    "desc",
    "any",
  ],
  ...["1e999999", "-1e-999999", "0", "NA", "2026-01", 0, 1, -1, 1.5, 1e308, true, false, null],
  ...["9".repeat(99), "1e99999999999999999999", "0.1"],
];

function makeValue(random: Random, depth: number): unknown {
  const turn = random();
  if (depth === 0 || turn < 0.35) return pick(random, LEAVES);
  const count = Math.floor(random() * 5);
  if (turn < 0.7) return Array.from({ length: count }, () => makeValue(random, depth - 1));
  return Object.fromEntries(
    Array.from({ length: count }, () => [pick(random, PARTS), makeValue(random, depth - 1)]),
  );
}

function makeParameters(random: Random): string {
  const query = new URLSearchParams();
  for (let turn = 0; turn < random() * 8; turn++) {
    const place = pick(random, [
      "",
      "[]",
      "[0]",
      `[${Math.floor(random() * 20)}]`,
      "[9999999999]",
      "[",
      "][",
    ]);
    const part = pick(random, ["", "", ...PARTS.map((name) => `[${name}]`)]);
    query.append(`${pick(random, MEMBERS)}${place}${part}`, String(pick(random, LEAVES)));
  }
  return query.toString();
}

function makeJson(random: Random): string {
  const members = Array.from({ length: Math.floor(random() * 6) }, () => [
    pick(random, MEMBERS),
    makeValue(random, 3),
  ]);
  const text = JSON.stringify(Object.fromEntries(members));
  return new URLSearchParams({ question: random() < 0.1 ? text.slice(1) : text }).toString();
}

it(`${QUESTIONS} questions of any form are answered or refused by a member`, {
  timeout: 300_000,
}, async () => {
  const random = createRandom(Number(process.env.HOSTILE_SEED ?? 1));
  const cells = ["1e999999", "-1e-999999", "NA", "", "9".repeat(400), "2026-01-31", "0.1", "x", "-0", "7.0"];
  const lines = Array.from({ length: 30 }, () => `${pick(random, cells)},${pick(random, cells)},,"__",1`);
  const ready = await prepareFile(`a,b,__proto__,constructor,"say ""hi"""\n${lines.join("\n")}\n`, "csv");
  const codes = new Set(["validation_failed", "too_large_to_read"]);
  let answered = 0;
  for (let turn = 0; turn < QUESTIONS; turn++) {
    const query = random() < 0.5 ? makeParameters(random) : makeJson(random);
    const answer = await ask(ready, query);
    if (answer.ok) {
      JSON.parse(Buffer.from(answer.json).toString());
      answered++;
    } else {
      expect([query, codes.has(answer.code)]).toEqual([query, true]);
      if (answer.code === "validation_failed") expect(Object.keys(answer.errors).length).toBeGreaterThan(0);
    }
  }
  expect(answered).toBeGreaterThan(QUESTIONS / 50);
  expect(answered).toBeLessThan(QUESTIONS);
});

it("looks for the nearest of thousands of long names in a few milliseconds", () => {
  const name = Array.from({ length: 60 }, (_, at) => String.fromCharCode(97 + ((at * 7) % 26))).join("");
  const near = (length: number) =>
    Array.from({ length: 5_000 }, (_, at) => `${at}${name.repeat(17)}`.slice(0, length));
  for (const known of [near(60), near(1_000)])
    expect(leastCpuMs(() => findNearestName(name, known), 50)).toBeLessThan(50);
});

it("refuses the longest address, and reads long ones in a few milliseconds", () => {
  expect(Object.keys(readQuestion("a".repeat(8_193), "page", 500).errors)).toEqual(["question"]);
  for (const query of [
    `q=${"%F0%9F%98%80".repeat(600)}`,
    "filter[0][column]=a&".repeat(400),
    asJson({ a: "[".repeat(5_000) }),
  ]) {
    const refuse = () =>
      expect(Object.keys(readQuestion(query, "page", 500).errors).length).toBeGreaterThan(0);
    expect(leastCpuMs(refuse, 250)).toBeLessThan(250);
  }
});
