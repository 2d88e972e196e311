import { printSurroundings, versionOf } from "./report.ts";

// npm run bench: measures real processes on this machine, each figure beside its peer, and exits 1 when a target is
// missed. `npm run bench -- rows search` runs those alone; `large` and `soak` run only when they are named.
const BENCHES: Record<string, () => Promise<{ run(): Promise<string[]> }>> = {
  upload: () => import("./upload-to-ready.ts"),
  "packed-uploads": () => import("./packed-uploads.ts"),
  appends: () => import("./appends.ts"),
  markdown: () => import("./markdown.ts"),
  diffs: () => import("./diffs.ts"),
  "file-diffs": () => import("./file-diffs.ts"),
  writes: () => import("./write-path.ts"),
  "save-and-publish": () => import("./save-and-publish.ts"),
  "publish-load": () => import("./publish-load.ts"),
  checks: () => import("./checks.ts"),
  inspection: () => import("./inspection.ts"),
  rows: () => import("./rows.ts"),
  query: () => import("./query.ts"),
  parquet: () => import("./parquet.ts"),
  dictionary: () => import("./dictionary.ts"),
  "query-load": () => import("./query-load.ts"),
  "rows-load": () => import("./rows-load.ts"),
  workers: () => import("./workers.ts"),
  starts: () => import("./starts.ts"),
  search: () => import("./search.ts"),
  mcp: () => import("./mcp.ts"),
  drawings: () => import("./drawings.ts"),
  "bound-charts": () => import("./bound-charts.ts"),
  "page-reads": () => import("./page-reads.ts"),
  "api-reads": () => import("./api-reads.ts"),
  "first-views": () => import("./first-views.ts"),
  metadata: () => import("./metadata.ts"),
  "leaked-tokens": () => import("./leaked-tokens.ts"),
  oauth: () => import("./oauth.ts"),
  retractions: () => import("./retractions.ts"),
  webhooks: () => import("./webhooks.ts"),
  log: () => import("./log.ts"),
  events: () => import("./events.ts"),
  overload: () => import("./overload.ts"),
  bursts: () => import("./bursts.ts"),
  "hostile-connections": () => import("./hostile-connections.ts"),
  capacity: () => import("./capacity.ts"),
  soak: () => import("./soak.ts"),
  large: () => import("./large.ts"),
};
const ONLY_WHEN_NAMED = ["large", "soak"];
const VERSIONS = ["pg-boss", "slonik", "fastify", "pg", "markdown-it", "diff"];

process.exitCode = await main(process.argv.slice(2));

async function main(named: readonly string[]): Promise<number> {
  const unknown = named.filter((name) => BENCHES[name] === undefined);
  if (unknown.length > 0) {
    console.error(`No bench is called ${unknown.join(", ")}; there are ${Object.keys(BENCHES).join(", ")}.`);
    return 1;
  }
  printSurroundings({
    node: process.version,
    ...Object.fromEntries(VERSIONS.map((name) => [name, versionOf(name)])),
  });
  const chosen = Object.entries(BENCHES).filter(([name]) =>
    named.length > 0 ? named.includes(name) : !ONLY_WHEN_NAMED.includes(name),
  );
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
