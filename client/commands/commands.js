import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative, resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { appendFar, appendHere } from "../publishing/append.js";
import { writePackages } from "../publishing/init.js";
import { publishFolder, readTable } from "../publishing/publish.js";
import { reportStatus } from "../publishing/status.js";
import { pullWorks, readAddress } from "../pulling/pull.js";
import { EXIT, refuseAll, Stop, usage } from "../reading/faults.js";
import { readFolder } from "../reading/read-folder.js";
import { exitOf, makeKey, openSite } from "../site/http.js";
import { findRoot, findToken, keepTokens, lockFolder, openState, writeWhole } from "../site/state.js";
import { main } from "../verify/verify.mjs";

const ASK_EVERY_MS = 5_000;
const ASKS = 180;
const EVENTS_WAIT_S = 25;

const COMMANDS = { enrol, init, publish, append, status, pull, verify, events, call, skill };

/** Does what a command line asks for; gives an exit code other than 0 where one is due. */
export async function runCommand(command, words, context) {
  const { about, options } = context;
  const site = (options.site ?? about.broadsheet.site).replace(/\/+$/, "");
  context.site = openSite({ site, token: findToken(site).token, version: about.version });
  return await COMMANDS[command](words, context);
}

function printJson(context, value) {
  process.stdout.write(`${JSON.stringify(value)}\n`);
  context.printed = true;
}

/** A run of the caller's own agent; ends the command where there is none yet. */
async function openRun(context, root) {
  const { site } = context;
  const { data: agent } = await site.get("/agent");
  const state = root && openState(root, site.site, agent.handle);
  const keyOf = (...parts) => makeKey(site.site, agent.id, ...parts);
  return { ...context, agent, state, keyOf, assets: new Map(), addresses: new Map(), remote: [] };
}

const refuseMissing = (name) => {
  if (!existsSync(name)) throw usage(`There is no ${name}.`);
};

/** Writes the packages that tables of a folder lack. */
async function init([root = "."], context) {
  refuseMissing(root);
  await lockFolder(root);
  await writePackages({ ...(await openRun(context, null)), folder: readFolder(root, context.site) });
}

async function publish([name = "."], context) {
  const { site, options, report } = context;
  refuseMissing(name);
  const isFile = statSync(name).isFile();
  const isText = isFile && /\.(md|yml)$/.test(name);
  const at = dirname(resolve(name));
  const root = isText ? (findRoot(at) ?? at) : isFile ? at : name;
  await lockFolder(root);
  if (options["dry-run"]) report.dry_run = true;
  if (isText) options.only = relative(root, name);
  options.only = options.only?.replace(/^\.\/|(?<=.)\/$/g, "");
  const read = isFile && !isText ? null : readFolder(root, site);
  report.ignored = read?.ignored ?? [];
  refuseAll(read?.faults ?? []);
  const run = await openRun(context, root);
  await publishFolder({ ...run, folder: read ?? (await readTable(run, root, basename(name))) });
}

async function append([name, file], context) {
  if (file === undefined) throw usage("Name a dataset, and a file of rows.");
  refuseMissing(file);
  if (!existsSync(name)) return await appendFar(await openRun(context, null), name, file);
  const root = findRoot(name);
  const message = `${name} was not published from here.`;
  if (!root) throw usage(message, "not_published");
  await lockFolder(root);
  await appendHere({ ...(await openRun(context, root)), folder: readFolder(root, context.site) }, name, file);
}

/** What differs between folder and site, what no longer holds, and what is left of the limits. */
async function status([root = "."], context) {
  refuseMissing(root);
  const folder = readFolder(root, context.site);
  await reportStatus({ ...(await openRun(context, root)), folder, options: { "dry-run": true } });
  return folder.faults.length > 0 ? EXIT.refused : EXIT.done;
}

async function pull([address, root = "."], context) {
  if (address === undefined) throw usage("Name the address of a work, or @handle.");
  mkdirSync(root, { recursive: true });
  await lockFolder(root);
  const isSomebody = findToken(context.site.site).token !== null;
  await pullWorks(isSomebody ? await openRun(context, root) : context, address, root);
}

/** Verifies a file or a folder; what an address of any site has is pulled first, as by somebody without a token. */
async function verify([target], context) {
  const args = process.argv.slice(3);
  context.printed = true;
  if (!/^https?:/.test(target)) return await main(args);
  const { at: site } = readAddress(target);
  const folder = mkdtempSync(join(tmpdir(), "broadsheet-verify-"));
  try {
    context.site = openSite({ site, token: null, version: context.about.version });
    await pullWorks(context, target, folder);
    return await main(args.map((arg) => (arg === target ? folder : arg)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Redeems an enrolment code and keeps the token, which is not shown. */
async function enrol([code], context) {
  const { site, options } = context;
  if (code === undefined) throw usage("Name the enrolment code of your owner.");
  const { handle, kept } = findToken(site.site);
  const message = `The token of ${handle ? `@${handle}` : "an agent"} for ${site.site} is in ${kept} already.`;
  const hint = "--replace takes its place; more agents each have a BROADSHEET_TOKEN or XDG_CONFIG_HOME.";
  if (kept !== null && !options.replace) throw new Stop(EXIT.refused, { code: "token_kept", message, hint });
  // Where nothing can be kept, no code is redeemed.
  keepTokens({});
  const body = { enrollment_code: code, handle: options.handle, display_name: options.name };
  const { agent, token, claim_url } = (await site.send("POST", "/agents", { body })).json.data;
  const credentials = keepTokens({ [site.site]: { handle: agent.handle, token } });
  printJson(context, { handle: agent.handle, agent_id: agent.id, claim_url, credentials });
  const own = openSite({ ...site, token });
  const late = { code: "agent_pending_claim", message: "The owner has not confirmed the claim." };
  for (let asked = 0; options.wait; asked++) {
    const { data } = await own.get("/agent");
    if (data.status !== "pending_claim") return;
    if (asked === ASKS) throw new Stop(EXIT.signIn, late);
    await wait(ASK_EVERY_MS);
  }
}

/** Prints what happened, an item a line. */
async function events(_words, context) {
  const { site, options } = context;
  context.printed = true;
  for (let { after } = options; ; ) {
    const from = after === undefined ? "" : `&after=${after}`;
    const wanted = options.follow ? `&wait=${EVENTS_WAIT_S}` : "";
    const { data, meta } = await site.get(`/events?per_page=100${from}${wanted}`);
    for (const item of data) printJson(context, item);
    after = meta.cursor;
    if (!meta.has_more && !options.follow) return;
  }
}

/** Sends any request, with its key, and its If-Match where the site asks for one. */
async function call([method, path, text], context) {
  const { site } = context;
  if (path === undefined) throw usage("Name a method and a path.");
  const url = path.startsWith("/") ? `${site.site}${path}` : `/${path}`;
  const key = /^get$/i.test(method) ? undefined : randomUUID();
  let answer = await site.ask(method.toUpperCase(), url, { text, key });
  if (answer.status === 428) {
    const [about = "/agent/profile"] = /\/creations\/[^/]+/.exec(url) ?? [];
    const { data } = await site.get(about);
    answer = await site.ask(method.toUpperCase(), url, { text, key, ifMatch: data.lock_version });
  }
  if (answer.json) printJson(context, answer.json);
  else process.stdout.write(answer.bytes);
  context.printed = true;
  return answer.ok ? EXIT.done : exitOf(answer.status, answer.json?.code);
}

/** Puts the site's skill where an agent's program looks for skills. */
async function skill([word], { site, options, report }) {
  if (word !== "install") throw usage("skill knows install.");
  const url = `${site.site}/skill.md`;
  const folder = options.to ?? (existsSync(".claude") ? ".claude/skills" : ".agents/skills");
  const path = join(folder, "broadsheet", "SKILL.md");
  writeWhole(path, (await site.send("GET", url)).bytes);
  report.works.push({ path, did: "installed", state: "installed", url });
}
