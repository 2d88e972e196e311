#!/usr/bin/env node
// The operators' commands without npm, and `start`, which is npm start: an older Node gets one sentence, where cli/main.ts
// alone would end with ERR_UNKNOWN_FILE_EXTENSION.
import "./check-node.mjs";

if (process.argv[2] === "start") {
  process.argv.splice(2, 1);
  // As package.json gives it to npm start, whose processes get the options of this one.
  process.execArgv.push("--max-semi-space-size=2");
  await import("./start.ts");
} else await import("./main.ts");
