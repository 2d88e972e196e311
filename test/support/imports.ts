import { globSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** The files of a tree, each with those of ours that it imports, types included; paths from the tree's root. */
export type Imports = ReadonlyMap<string, readonly string[]>;

const FROM = /(?:^|\n)\s*(?:import|export)\b[^;]*?\bfrom\s+"(\.[^"]+)"/g;
const BARE = /(?:^|\n)\s*import\s+"(\.[^"]+)"/g;
const LAZY = /\bimport\(\s*"(\.[^"]+)"\s*\)/g;

/** Reads the imports of `sql`, `shared`, `api`, `workers` and `cli` under a root. */
export function readImports(root: string): Imports {
  const files = globSync("{sql,shared,api,workers,cli}/**/*.ts", { cwd: root }).sort();
  return new Map(files.map((file) => [file, findImports(file, readFileSync(join(root, file), "utf8"))]));
}

/** The files of ours that a file with this text imports; paths from the tree's root. */
export function findImports(file: string, text: string): string[] {
  return [FROM, BARE, LAZY]
    .flatMap((pattern) => [...text.matchAll(pattern)])
    .map(([, path = ""]) => normalize(join(dirname(file), path)))
    .filter((path) => path.endsWith(".ts"));
}

/** Every arrow that `mayImport` does not allow, as `from → to`. */
export function findWrongArrows(
  imports: Imports,
  mayImport: (file: string, target: string) => boolean,
): string[] {
  return [...imports].flatMap(([file, targets]) =>
    targets.filter((target) => !mayImport(file, target)).map((target) => `${file} → ${target}`),
  );
}

/** The circles of a graph: each set of two or more nodes that reach each other (Tarjan 1972), sorted. */
export function findCircles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>();
  const path: string[] = [];
  const circles: string[][] = [];
  const visit = (node: string): number => {
    let low = order.size;
    const own = low;
    order.set(node, own);
    path.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue;
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (path.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === own) {
      const circle = path.splice(path.indexOf(node));
      if (circle.length > 1) circles.push(circle.sort());
    }
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return circles;
}

const AT_START = /(?:^|\n)\s*(?:import|export)\s+(?!type\b)(?:[^;"]*?\bfrom\s+)?"([^"]+)"/g;

/** The packages that a process loads at its start: those that its entry imports, and what that imports, but no types. */
export function listStartPackages(root: string, entry: string): ReadonlySet<string> {
  const packages = new Set<string>();
  const seen = new Set<string>();
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    for (const [, path = ""] of readFileSync(join(root, file), "utf8").matchAll(AT_START)) {
      if (path.startsWith(".")) visit(normalize(join(dirname(file), path)));
      else packages.add(path.split("/", path.startsWith("@") ? 2 : 1).join("/"));
    }
  };
  visit(entry);
  return packages;
}
