import { readFileSync } from "node:fs";
import { afterAll, expect, test } from "vitest";
import { parse as parseYaml } from "yaml";
import { openOperatorsServer } from "../../../../shared/care/operations/server.ts";
import { openService } from "../../../support/service.ts";

interface Board {
  panels: { title: string; targets: { expr: string }[] }[];
}
interface Rules {
  groups: { rules: { alert: string; expr: string; annotations: Record<string, string> }[] }[];
}

const board: Board = JSON.parse(readFileSync("operators/grafana-board.json", "utf8"));
const rules = (parseYaml(readFileSync("operators/alerts.yml", "utf8")) as Rules).groups.flatMap(
  (group) => group.rules,
);
const questions = [
  ...board.panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
  ...rules.map(({ alert, expr }) => [alert, expr] as const),
];

/** What a scrape declares: the samples' names, each with its kind's own endings, and the labels that may stand on it. */

const service = await openService({ workers: false });
const operators = await openOperatorsServer(service.deps, { host: "127.0.0.1", port: 0, process: "API" });
await fetch(`http://127.0.0.1:${operators.port}/metrics`);
const metrics = await service.deps.metrics.registry.getMetricsAsJSON();
const exported: Map<string, ReadonlySet<string>> = new Map([
  ["up", new Set(["instance", "job"])] as const,
  ...metrics.flatMap(({ name, type }) => {
    const single = service.deps.metrics.registry.getSingleMetric(name) as unknown as {
      labelNames?: string[];
    };
    const labels = [...(single.labelNames ?? []), "instance", "job"];
    const isHistogram = String(type) === "histogram";
    const endings = isHistogram ? ["_bucket", "_count", "_sum"] : [""];
    return endings.map(
      (end) => [`${name}${end}`, new Set([...labels, ...(isHistogram ? ["le"] : [])])] as const,
    );
  }),
]);

afterAll(async () => {
  await operators.close();
});

test("every metric that board and rules ask for is exported, with the labels that they name", () => {
  expect(questions.length).toBeGreaterThan(20);
  const wrong = questions.flatMap(([where, expr]) => {
    // Prometheus itself says of each scrape whether it went well.
    const names = [...expr.matchAll(/\b(?:(?:broadsheet|nodejs|process)_\w+|up(?=\{))/g)].map(
      ([name]) => name,
    );
    const labels = [
      ...[...expr.matchAll(/\bby \(([^)]+)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/)),
      ...[...expr.matchAll(/(\w+)=~?"/g)].map(([, label = ""]) => label),
    ];
    if (names.length === 0) return [`${where}: no metric`];
    return names.flatMap((name) => {
      const known = exported.get(name);
      if (known === undefined) return [`${where}: ${name} is not exported`];
      return labels.filter((label) => !known.has(label)).map((label) => `${where}: ${name} has no ${label}`);
    });
  });
  expect(wrong).toEqual([]);
});

test("every metric of our own is on the board, and every rule says how to mend what it tells", () => {
  const asked = questions.map(([, expr]) => expr).join(" ");
  const own = [...exported.keys()].filter((name) => name.startsWith("broadsheet_"));
  const bases = new Set(own.map((name) => name.replace(/_(?:bucket|count|sum)$/, "")));
  expect([...bases].filter((name) => !asked.includes(name))).toEqual([]);
  for (const { annotations } of rules) expect(Object.keys(annotations)).toEqual(["summary", "mend"]);
});
