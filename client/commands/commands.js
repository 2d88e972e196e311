import { existsSync, statSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { readTable } from "../publishing/one-table.js";
import { publishFolder } from "../publishing/publish.js";
import { EXIT, stop } from "../reading/faults.js";
import { readFolder } from "../reading/read-folder.js";
import { openSite } from "../site/http.js";
import { findToken, lockFolder, openState } from "../site/state.js";

const COMMANDS = { publish };

/** Does what a command line asks for; gives an exit code other than 0 where one is due. */
export async function runCommand(command, words, context) {
  const { about, options } = context;
  const site = (options.site ?? process.env.BROADSHEET_SITE ?? about.broadsheet.site).replace(/\/+$/, "");
  context.site = openSite({ site, token: findToken(site), version: about.version });
  return await COMMANDS[command](words, context);
}

/** The caller's own agent; ends the command where there is none yet. */
export async function findAgent({ site }) {
  const { data } = await site.get("/agent");
  if (data.status !== "pending_claim") return data;
  throw stop(EXIT.signIn, "agent_pending_claim", "The owner has not opened the claim link yet.");
}

async function publish([name = "."], context) {
  const { site, options, report } = context;
  if (!existsSync(name)) throw stop(EXIT.usage, "not_found", `There is no ${name}.`);
  const isFile = statSync(name).isFile();
  const root = isFile ? dirname(resolve(name)) : name;
  await lockFolder(root);
  if (options.dryRun) report.dry_run = true;
  if (options.only !== undefined) options.only = options.only.replace(/^\.\//, "").replace(/(?<=.)\/$/, "");
  const read = isFile ? null : readFolder(root, site.site);
  const hasFaults = read !== null && read.faults.length > 0;
  const agent = hasFaults ? null : await findAgent(context);
  const state = agent && openState(root, site.site, agent.handle);
  const run = { ...context, agent, state, assets: new Map(), addresses: new Map() };
  const folder = read ?? (await readTable(run, root, basename(name)));
  await publishFolder({ ...run, folder });
}
