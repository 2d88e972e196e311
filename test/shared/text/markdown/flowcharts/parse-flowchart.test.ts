import { describe, expect, test } from "vitest";
import { parseFlowchart } from "../../../../../shared/text/markdown/flowcharts/parse-flowchart.ts";
import { GROWTH_BOUND_MS, leastCpuMs } from "../../../../support/growth.ts";

function problemsOf(source: string): string[] {
  const verdict = parseFlowchart(source);
  return verdict.ok ? [] : verdict.problems.map(({ line, message }) => `${line}: ${message}`);
}

function shapeOf(body: string): string {
  const verdict = parseFlowchart(`flowchart TD\n${body}`);
  if (!verdict.ok) return verdict.problems.map(({ message }) => message).join(" ");
  const { nodes, connections } = verdict.flowchart;
  const marks = connections.map(
    ({ from, to, label, line, arrow }) => `${from} ${line}${arrow ? ">" : ""} ${to}${label && ` "${label}"`}`,
  );
  return [...nodes.map(({ id, label, form }) => `${id}=${form}:${label}`), ...marks].join(" | ");
}

describe("what is drawn", () => {
  test.each([
    ["A[box]", "A=box:box"],
    ["A(rounded)", "A=rounded:rounded"],
    ["A([stadium])", "A=stadium:stadium"],
    ["A{decision}", "A=decision:decision"],
    ["A((circle))", "A=circle:circle"],
    ["A", "A=box:A"],
    ['A["(a) [b]; c | d"]', "A=box:(a) [b]; c | d"],
    ["A[a<br>b<br/>c<br />d]", "A=box:a\nb\nc\nd"],
    ["A[one\ntwo]", "A=box:one\ntwo"],
    ["A[ ]", "A=box:"],
    ["A[first]\nA((last))", "A=circle:last"],
    ["A((kept)) --> B\nA", "A=circle:kept | B=box:B | A solid> B"],
    ["A --> B --- C", "A=box:A | B=box:B | C=box:C | A solid> B | B solid C"],
    ["A -.-> B ==> C", "A=box:A | B=box:B | C=box:C | A dashed> B | B thick> C"],
    ["A -->|yes| B", 'A=box:A | B=box:B | A solid> B "yes"'],
    ["A -- yes, a - b --> B", 'A=box:A | B=box:B | A solid> B "yes, a - b"'],
    ['A -- "yes -- (no)" --> B', 'A=box:A | B=box:B | A solid> B "yes -- (no)"'],
    ["A-->B;B-->A;", "A=box:A | B=box:B | A solid> B | B solid> A"],
    ["A\n  --> B\n  --> C", "A=box:A | B=box:B | C=box:C | A solid> B | B solid> C"],
    ["%% note\n\n   A --> A\n%% end", "A=box:A | A solid> A"],
    ["数据 --> Größe_1-x", "数据=box:数据 | Größe_1-x=box:Größe_1-x | 数据 solid> Größe_1-x"],
    [
      "__proto__ --> constructor",
      "__proto__=box:__proto__ | constructor=box:constructor | __proto__ solid> constructor",
    ],
  ])("%j is %j", (body, shape) => {
    expect(shapeOf(body)).toBe(shape);
  });

  test.each(["TD", "TB", "BT", "LR", "RL"])("graph and flowchart take the direction %s", (direction) => {
    expect(problemsOf(`graph ${direction}\nA`)).toEqual([]);
    expect(problemsOf(`%% first\n\n  flowchart ${direction};A`)).toEqual([]);
  });
});

describe("what is refused by name", () => {
  test.each([
    ["subgraph one\nA --> B\nend", "Subgraphs"],
    ["style A fill:#f00", "Styles"],
    ["linkStyle 0 stroke:#f00", "linkStyle"],
    ["classDef x fill:#f00", "classDef"],
    ["class A x", "Classes"],
    ["A:::x --> B", ":::"],
    ['click A "https://example.com"', "Clicks"],
    ["direction LR", "direction"],
    ["accTitle: x", "accTitle"],
    ["A & B --> C", "&"],
    ["A ---> B", "Longer connections (--->)"],
    ["A -..-> B", "Longer connections (-..->)"],
    ["A <--> B", "two ends (<-->)"],
    ["A --x B", "Cross and circle ends (--x)"],
    ["A ---oB", "Cross and circle ends"],
    ["A ~~~ B", "Invisible"],
    ["A -> B", "Write -->"],
    ["A => B", "Write ==>"],
    ["A === B", "==>"],
    ["A -.- B", "-.->"],
    ["A == x ==> B", "==>|text|"],
    ["A -. x .-> B", "-.->|text|"],
    ["A -- x --- B", "---|text|"],
    ["A e1@--> B", "Ids of connections"],
    ["A@{ shape: rect }", "Shapes as data"],
    ["A[[x]]", "Subroutine boxes"],
    ["A[(x)]", "Cylinders"],
    ["A[/x/]", "Parallelograms"],
    ["A{{x}}", "Hexagons"],
    ["A(((x)))", "Double circles"],
    ["A>x]", "Flags"],
    ["A(-x-)", "Ellipses"],
    ["end --> B", "end"],
    ["graph --> B", "One flowchart|one flowchart"],
    ["A --> B %% note", "line of its own"],
    ['A[""]', "empty"],
    ["A[]", "empty"],
    ["A -->|| B", "empty"],
    ["A[a; b]", "semicolon"],
    ["A[a (b)]", "bracket ("],
    ['A["one] --> B', "never closed"],
    ["A[one", "not closed"],
    ['A["`md`"]', "backticks"],
    ["A [x]", "without a space"],
    ["A B", "line break"],
    ["A -->", "missing|not finished"],
    ["a.b --> C", "cannot be a node id"],
    ["ห้อง --> B", "cannot be a node id"],
    ["日o-->B", "Put a space"],
    ["%%{init: {}}%%\nA", "Directives"],
    ['A["<b x="y">"]', "Tags"],
  ])("%j is refused with %j", (body, words) => {
    const [problem = ""] = problemsOf(`flowchart TD\n${body}`);
    expect(words.split("|").some((word) => problem.includes(word)) || problem.includes(words)).toBe(true);
    expect(problem).toMatch(/^2: .+\.$/);
  });

  test.each([
    ["sequenceDiagram\nA->>B: x", "Sequence diagrams"],
    ["pie title Pets", "Pie charts"],
    ["flowchart-elk TD\nA", "flowchart-elk"],
    ["flowchart td\nA", "capitals"],
    ["flowchart XX\nA", '"XX" is not a direction'],
    ["flowchart\nA", "direction is missing"],
    ["flowchart TD A --> B", "line break"],
    ["flowchart TD", "no node"],
    ["", "empty"],
    ["---\ntitle: x\n---\nflowchart TD\nA", "Front matter"],
    ["%%\nflowchart TD\nA", "text after %%"],
  ])("%j is refused with %j", (source, words) => {
    expect(problemsOf(source)[0]).toContain(words);
  });
});

describe("all problems together", () => {
  test("each has its own line, in order", () => {
    const problems = problemsOf(
      "flowchart TD\n  A --> B\n  style A fill:red\n  B ---> C\r\n  C[[x]]\n  D[ok]",
    );
    expect(problems.map((problem) => problem.slice(0, 2))).toEqual(["3:", "4:", "5:"]);
  });

  test("a subgraph is one problem, its end none, and a second end is one", () => {
    const problems = problemsOf("flowchart TD\nsubgraph a\nA\nend\nend");
    expect(problems.map((problem) => problem.slice(0, 2))).toEqual(["2:", "5:"]);
  });

  test("they stop at twenty", () => {
    expect(problemsOf(`flowchart TD\n${"A ---> B\n".repeat(500)}`)).toHaveLength(20);
  });

  test("fifty nodes and a hundred connections are the most", () => {
    const nodes = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`).join("\n");
    expect(problemsOf(`graph LR\n${nodes(50)}\n${"n1 --> n2\n".repeat(100)}`)).toEqual([]);
    expect(problemsOf(`graph LR\n${nodes(52)}`)[0]).toMatch(
      /^52: The flowchart has 52 nodes; 50 is the most/,
    );
    expect(problemsOf(`graph LR\n${"A --> B\n".repeat(101)}`)[0]).toMatch(
      /^102: .* 101 connections; 100 is the most/,
    );
  });
});

describe("hostile texts", () => {
  test.each([
    ["blanks in a label", `A["${" ".repeat(90_000)}"]`],
    ["open brackets", "A[".repeat(45_000)],
    ["open quotes", 'A["x\n'.repeat(20_000)],
    ["one long mark", `A ${"-".repeat(90_000)}> B`],
    ["dots", `A ${".".repeat(90_000)}`],
    ["begun labels", "A -- x ".repeat(15_000)],
    ["many breaks", `A["${"<br ".repeat(20_000)}"]`],
    ["open tags", `A["${"<b ".repeat(30_000)}"]`],
    ["one long id", "a".repeat(95_000)],
    ["ids with signs", `${"a@".repeat(45_000)}`],
    ["statements", "A;".repeat(45_000)],
    ["blank lines", "\n".repeat(95_000)],
    ["spaces", `A${" ".repeat(95_000)}B`],
    ["comments", "%%\n".repeat(30_000)],
    ["directives", "%%{\n".repeat(20_000)],
    ["subgraphs", "subgraph a\n".repeat(9_000)],
    ["words", `A[${"direction TB style:#x; ".repeat(4_000)}`],
  ])("%s are answered at once", (_, body) => {
    const source = `flowchart TD\n${body}`;
    expect(leastCpuMs(() => void parseFlowchart(source))).toBeLessThan(GROWTH_BOUND_MS);
  });
});
