#!/usr/bin/env node
// The operators' commands without npm: an older Node gets one sentence, where cli/main.ts alone would end with
// ERR_UNKNOWN_FILE_EXTENSION.
import "./check-node.mjs";

await import("./main.ts");
