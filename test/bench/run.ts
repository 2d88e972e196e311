import { printSurroundings, versionOf } from "./report.ts";

// npm run bench: measures each figure beside its peer in the same run, and exits 1 when a target is missed. `npm run bench
// -- rows query` runs those alone. BENCH_ROUNDS and BENCH_SECONDS make runs shorter.
const BENCHES: Record<string, () => Promise<{ run(): Promise<string[]> }>> = {
  "page-reads": () => import("./page-reads.ts"),
  "api-reads": () => import("./api-reads.ts"),
  "publish-load": () => import("./publish-load.ts"),
  upload: () => import("./upload.ts"),
  inspection: () => import("./inspection.ts"),
  rows: () => import("./rows.ts"),
  query: () => import("./query.ts"),
  "query-load": () => import("./query-load.ts"),
  markdown: () => import("./markdown.ts"),
  drawings: () => import("./drawings.ts"),
  overload: () => import("./overload.ts"),
  evidence: () => import("./evidence.ts"),
  proof: () => import("./proof.ts"),
  "large-files": () => import("./large-files.ts"),
  starts: () => import("./starts.ts"),
};
const PEERS = ["fastify", "pg", "papaparse", "stream-json", "@duckdb/node-api", "markdown-it", "vega-lite"];

process.exitCode = await main(process.argv.slice(2));

async function main(named: readonly string[]): Promise<number> {
  const unknown = named.filter((name) => BENCHES[name] === undefined);
  if (unknown.length > 0) {
    console.error(`No bench is called ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}.`);
    return 1;
  }
  printSurroundings({
    node: process.version,
    "node:sqlite": process.versions.sqlite ?? "none",
    ...Object.fromEntries([...PEERS, "@dagrejs/dagre"].map((name) => [name, versionOf(name)])),
  });
  const chosen = Object.entries(BENCHES).filter(([name]) => named.length === 0 || named.includes(name));
  const missed: string[] = [];
  for (const [name, load] of chosen) {
    console.log(`\n# ${name}`);
    // The other benches run all the same.
    missed.push(
      ...(await load()
        .then(({ run }) => run())
        .catch((error) => [`${name} ended: ${error}`])),
    );
  }
  for (const miss of missed) console.log(`MISSED ${miss}`);
  if (missed.length === 0) console.log("All targets are met.");
  return missed.length === 0 ? 0 : 1;
}
