#!/usr/bin/env node
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { runCommand } from "./commands/commands.js";
import { print, readArguments, USAGE } from "./commands/terminal.js";
import { describeFaults, EXIT, Stop } from "./reading/faults.js";

const about = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));

// Node goes through a proxy of the environment only where this is set before it starts, from 22.21 on.
const isProxied = Object.keys(process.env).some((name) => /^https?_proxy$/i.test(name));
if (isProxied && process.env.NODE_USE_ENV_PROXY === undefined) {
  const env = { ...process.env, NODE_USE_ENV_PROXY: "1", NODE_NO_WARNINGS: "1" };
  process.exit(spawnSync(process.execPath, process.argv.slice(1), { stdio: "inherit", env }).status ?? 1);
}

// Reading a file as a part of a form is called experimental by Node 20.
process.removeAllListeners("warning");

const report = { ok: false, works: [], errors: [], ignored: [], not_checked: [], drafts: [], requests: 0 };
const context = /** @type {any} */ ({ report, about, options: {}, site: null, printed: false });
let exit = EXIT.done;
try {
  const { command, words, options } = /** @type {any} */ (readArguments(process.argv.slice(2)));
  Object.assign(context, { options, printed: options.help });
  if (options.help) console.log(USAGE(about.broadsheet.site, about.version));
  else exit = (await runCommand(command, words, context)) ?? EXIT.done;
} catch (error) {
  const { code, syscall, path, message, stack } = /** @type {any} */ (error);
  // What the disk refuses is no fault of the client.
  const failed = syscall ? { code, path, message } : { code: "client_failed", message: stack };
  const end = error instanceof Stop ? error : { exit: EXIT.refused, faults: [failed] };
  ({ exit, faults: report.errors } = end);
  if (exit === EXIT.usage) console.error(USAGE(about.broadsheet.site, about.version));
  context.printed = false;
}
report.ok = exit === EXIT.done;
report.requests = context.site?.counts.requests ?? 0;
// What each work has, whichever command tells of it.
report.works = report.works.map((work) => ({ evidence: null, hints: [], warnings: [], ...work }));
report.errors = describeFaults(report.errors);
if (!context.printed) print(report, context.options);
process.exitCode = exit;
