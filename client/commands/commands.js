import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { appendFile, findRoot } from "../publishing/append.js";
import { isAsKnown, isConflict, listOwn, planWork } from "../publishing/plan.js";
import { listLeftAlone, publishFolder } from "../publishing/publish.js";
import { reportWork } from "../publishing/save.js";
import { lookAtFile } from "../publishing/upload.js";
import { pullWorks } from "../pulling/pull.js";
import { EXIT, Stop, stop } from "../reading/faults.js";
import { readTable } from "../reading/one-table.js";
import { readFolder } from "../reading/read-folder.js";
import { openSite } from "../site/http.js";
import { findToken, lockFolder, openState } from "../site/state.js";
import { call, enrol, events, skill } from "./small.js";

const COMMANDS = { enrol, publish, append, status, pull, events, call, skill };

/** Does what a command line asks for; gives an exit code other than 0 where one is due. */
export async function runCommand(command, words, context) {
  const { about, options } = context;
  const site = (options.site ?? about.broadsheet.site).replace(/\/+$/, "");
  context.site = openSite({ site, token: findToken(site), version: about.version });
  return await COMMANDS[command](words, context);
}

/** A run of the caller's own agent; ends the command where there is none yet. */
async function openRun(context, root) {
  const { data: agent } = await context.site.get("/agent");
  if (agent.status === "pending_claim")
    throw stop(EXIT.signIn, "agent_pending_claim", "The owner has not opened the claim link yet.");
  const state = root && openState(root, context.site.site, agent.handle);
  return { ...context, agent, state, assets: new Map(), addresses: new Map(), remote: [] };
}

async function publish([name = "."], context) {
  const { site, options, report } = context;
  if (!existsSync(name)) throw stop(EXIT.usage, "not_found", `There is no ${name}.`);
  const isFile = statSync(name).isFile();
  const root = isFile ? dirname(resolve(name)) : name;
  await lockFolder(root);
  if (options.dryRun) report.dry_run = true;
  options.only = options.only?.replace(/^\.\//, "").replace(/(?<=.)\/$/, "");
  const read = isFile ? null : readFolder(root, site.site);
  report.ignored = read?.ignored ?? [];
  if (read && read.faults.length > 0) throw new Stop(EXIT.refused, read.faults);
  const run = await openRun(context, root);
  await publishFolder({ ...run, folder: read ?? (await readTable(run, root, basename(name))) });
}

async function append([name, file], context) {
  if (file === undefined || !existsSync(file))
    throw stop(EXIT.usage, "usage", "Name a dataset, and a file of rows.");
  const isFolder = existsSync(name);
  if (isFolder) await lockFolder(findRoot(name));
  await appendFile(await openRun(context, null), name, file);
}

/** What differs between folder and site, what no longer holds, and what is left of the limits. */
async function status([root = "."], context) {
  const { report, site } = context;
  const folder = readFolder(root, site.site);
  report.errors = folder.faults;
  const run = { ...(await openRun(context, root)), folder };
  run.remote = await listOwn(site);
  for (const work of folder.works) {
    const plan = await planWork(run, work);
    for (const file of work.files) plan.assets[file.path] = await lookAtFile(run, plan, file);
    plan.saves = !isAsKnown(run, plan);
    const isText = work.payload.body_markdown !== undefined && plan.remote?.json_url;
    const shown = isText ? await site.ask("GET", plan.remote.json_url) : null;
    plan.told.evidence = shown?.json?.data?.evidence ?? null;
    report.works.push({ ...reportWork({ options: { dryRun: true } }, plan), conflict: isConflict(plan) });
  }
  report.works.push(...listLeftAlone(run));
  report.remaining = run.agent.remaining;
}

async function pull([address, root = "."], context) {
  if (address === undefined) throw stop(EXIT.usage, "usage", "Name the address of a work, or @handle.");
  await lockFolder(root);
  const run =
    findToken(context.site.site) === null ? { ...context, agent: null } : await openRun(context, root);
  await pullWorks(run, address, root);
}
