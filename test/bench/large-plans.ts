import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { withClient } from "../../cli/embedded/database.ts";

/** One statement as PostgreSQL ran it. */
export interface Explained {
  milliseconds: number;
  /** The tables, or their indexes, in the order in which the plan goes through them, and how. */
  steps: string[];
  /** Rows that were read to be thrown away. */
  wasted: number;
  /** Tables that were read from end to end. */
  whole: string[];
}

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  "Rows Removed by Filter"?: number;
  "Actual Loops"?: number;
  Plans?: PlanNode[];
}

/** Lets PostgreSQL write the plan of every statement of this database's new connections into its log. */
export async function explainAll(adminUrl: string): Promise<void> {
  const settings = {
    session_preload_libraries: "auto_explain",
    "auto_explain.log_min_duration": "0",
    "auto_explain.log_analyze": "on",
    "auto_explain.log_format": "json",
    "auto_explain.log_nested_statements": "off",
  };
  const database = new URL(adminUrl).pathname.slice(1);
  await withClient(adminUrl, async (client) => {
    for (const [name, value] of Object.entries(settings)) {
      await client.query(`ALTER DATABASE ${database} SET ${name} = '${value}'`);
    }
  });
}

/** The statements that ran while some work was done, the slowest first. */
export async function explain(dataDir: string, work: () => Promise<unknown>): Promise<Explained[]> {
  const log = join(dataDir, "postgres.log");
  const before = (await stat(log)).size;
  await work();
  const added = (await readFile(log)).subarray(before).toString("utf8");
  const found: Explained[] = [];
  // Lines of one entry behind its first begin with a tab.
  for (const match of added.matchAll(/duration: ([\d.]+) ms {2}plan:\n((?:\t.*\n)+)/g)) {
    const { Plan: plan } = JSON.parse(match[2] ?? "") as { Plan: PlanNode };
    const explained: Explained = { milliseconds: Number(match[1]), steps: [], wasted: 0, whole: [] };
    walk(plan, explained);
    found.push(explained);
  }
  return found.sort((a, b) => b.milliseconds - a.milliseconds);
}

function walk(node: PlanNode, explained: Explained): void {
  const of = node["Index Name"] ?? node["Relation Name"];
  if (of !== undefined) explained.steps.push(`${node["Node Type"]} ${of}`);
  if (node["Node Type"] === "Seq Scan" && of !== undefined) explained.whole.push(of);
  explained.wasted += (node["Rows Removed by Filter"] ?? 0) * (node["Actual Loops"] ?? 1);
  for (const child of node.Plans ?? []) walk(child, explained);
}
