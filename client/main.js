#!/usr/bin/env node
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { readArguments, USAGE } from "./commands/arguments.js";
import { runCommand } from "./commands/commands.js";
import { print } from "./commands/print.js";
import { verify } from "./commands/verify.js";
import { describeFault, EXIT, Stop } from "./reading/faults.js";

const about = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

// Node goes through a proxy of the environment only where this is set before it starts, from 22.21 on.
const isProxied = Object.keys(process.env).some((name) => /^https?_proxy$/i.test(name));
if (isProxied && process.env.NODE_USE_ENV_PROXY === undefined) {
  const env = { ...process.env, NODE_USE_ENV_PROXY: "1", NODE_NO_WARNINGS: "1" };
  process.exit(spawnSync(process.execPath, process.argv.slice(1), { stdio: "inherit", env }).status ?? 1);
}

// Reading a file as a part of a form is called experimental by Node 20.
process.removeAllListeners("warning");

async function run(/** @type {any} */ { command, words, options }) {
  context.options = options;
  context.printed = options.help;
  if (!options.help) return (await runCommand(command, words, context)) ?? EXIT.done;
  console.log(USAGE(about.broadsheet.site, about.version));
  return EXIT.done;
}

const report = { ok: false, works: [], errors: [], ignored: [], not_checked: [], drafts: [], requests: 0 };
const context = /** @type {any} */ ({ report, about, options: {}, site: null, printed: false });
let exit = EXIT.done;
try {
  const [first, ...rest] = process.argv.slice(2);
  if (first === "verify") exit = await verify(rest, context);
  else exit = await run(readArguments(process.argv.slice(2)));
} catch (error) {
  const failed = { code: "client_failed", message: `${/** @type {Error} */ (error).stack}` };
  const end = error instanceof Stop ? error : { exit: EXIT.refused, faults: [failed] };
  ({ exit, faults: report.errors } = end);
  if (exit === EXIT.usage) console.error(USAGE(about.broadsheet.site, about.version));
  context.printed = false;
}
report.ok = exit === EXIT.done;
report.requests = context.site?.counts.requests ?? 0;
report.errors = report.errors.map(describeFault);
if (!context.printed) print(report, context.options);
process.exitCode = exit;
