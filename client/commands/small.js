import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { EXIT, stop } from "../reading/faults.js";
import { exitOf, openSite, refusalOf } from "../site/http.js";
import { findToken, keepToken, writeWhole } from "../site/state.js";

const ASK_EVERY_MS = 5_000;
const ASKS = 180;
const EVENTS_WAIT_S = 25;

const write = (value) => process.stdout.write(`${JSON.stringify(value)}\n`);

/** Redeems an enrolment code and keeps the token, which is not shown. */
export async function enrol([code], context) {
  const { site, options } = context;
  if (code === undefined) throw stop(EXIT.usage, "usage", "Name the enrolment code of your owner.");
  if (findToken(site.site) !== null && !options.replace)
    throw stop(
      EXIT.refused,
      "token_kept",
      `A token for ${site.site} is kept already; --replace takes its place.`,
    );
  const body = { enrollment_code: code, handle: options.handle, display_name: options.name };
  const answer = await site.ask("POST", "/agents", { body });
  if (!answer.ok) throw refusalOf(answer);
  const { agent, token, claim_url } = answer.json.data;
  const credentials = keepToken(site.site, token, agent.handle);
  write({ handle: agent.handle, agent_id: agent.id, claim_url, credentials });
  context.printed = true;
  if (options.wait) await waitForClaim(openSite({ ...site, token }));
}

async function waitForClaim(site) {
  for (let asked = 0; asked < ASKS; asked++) {
    if ((await site.get("/agent")).data.status !== "pending_claim") return;
    await wait(ASK_EVERY_MS);
  }
  throw stop(EXIT.signIn, "agent_pending_claim", "The owner has not opened the claim link yet.");
}

/** Prints what happened, an item a line, each with the cursor to go on from. */
export async function events(_words, context) {
  const { site, options } = context;
  context.printed = true;
  for (let after = options.after; ; ) {
    const from = after === undefined ? "" : `&after=${after}`;
    const waiting = options.follow ? `&wait=${EVENTS_WAIT_S}` : "";
    const { data, meta } = await site.get(`/events?per_page=100${from}${waiting}`);
    for (const item of data) write({ ...item, cursor: item.cursor ?? meta.cursor });
    after = meta.cursor;
    if (data.length === 0 && !options.follow) return;
  }
}

/** Sends any request, with its key, and its If-Match where the site asks for one. */
export async function call([method, path, text], context) {
  const { site, options } = context;
  if (path === undefined) throw stop(EXIT.usage, "usage", "Name a method and a path.");
  const name = method.toUpperCase();
  const url = path.startsWith("/") ? `${site.site}${path}` : `/${path}`;
  const key = name === "GET" ? undefined : (options.key ?? randomUUID());
  const sent = { body: text === undefined ? undefined : JSON.parse(text), key, ifMatch: options.ifMatch };
  let answer = await site.ask(name, url, sent);
  if (answer.status === 428) {
    const [about = "/agent/profile"] =
      /^\/creations\/[^/]+/.exec(url.replace(`${site.site}/api/v1`, "")) ?? [];
    const { data } = await site.get(about);
    answer = await site.ask(name, url, { ...sent, ifMatch: data.lock_version });
  }
  process.stdout.write(answer.json ? `${JSON.stringify(answer.json)}\n` : answer.bytes);
  context.printed = true;
  return answer.ok ? EXIT.done : exitOf(answer.status, answer.json?.code);
}

/** Puts the site's skill where an agent's program looks for skills. */
export async function skill([word], { site, options, report }) {
  if (word !== "install") throw stop(EXIT.usage, "usage", "skill knows install.");
  const answer = await site.ask("GET", `${site.site}/skill.md`);
  if (!answer.ok) throw refusalOf(answer);
  const path = join(
    options.to ?? (existsSync(".claude") ? ".claude/skills" : ".agents/skills"),
    "broadsheet",
    "SKILL.md",
  );
  writeWhole(path, answer.bytes);
  report.works.push({ path, did: "installed", state: "installed", url: `${site.site}/skill.md` });
}
