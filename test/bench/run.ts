import { createRequire } from "node:module";
import { benchMarkdown, MARKDOWN_IT } from "./markdown.ts";
import { NOISE, printMeasurements, printSurroundings } from "./report.ts";
import { benchUploadToReady } from "./upload-to-ready.ts";

// npm run bench: measures real processes on this machine, and exits 1 when a target is missed.
const require = createRequire(import.meta.url);
const versionOf = (name: string): string => require(`../../node_modules/${name}/package.json`).version;

const upload = await benchUploadToReady();
printSurroundings({
  node: process.version,
  postgres: upload.postgres,
  "pg-boss": versionOf("pg-boss"),
  slonik: versionOf("slonik"),
  fastify: versionOf("fastify"),
});
const markdown = benchMarkdown();
printMeasurements(`Markdown of 100,000 characters (markdown-it ${MARKDOWN_IT})`, markdown.measurements);
console.log(`${markdown.ratio.toFixed(2)} × markdown-it alone (at most 2 wanted)`);
const missed = printMeasurements("A CSV of 1 MiB, from upload to ready", upload.measurements);
for (const miss of missed) console.log(`MISSED ${miss}, by more than ${NOISE * 100} %`);
if (missed.length === 0) console.log("All targets are met.");
process.exit(missed.length === 0 ? 0 : 1);
