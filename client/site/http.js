import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { EXIT, Stop } from "../reading/faults.js";
import { toCanonical } from "../verify/proof.mjs";

const WAITS_MS = [500, 2_000, 5_000, 10_000];
const MOST_WAIT_S = 60;
const ANSWERS_WITHIN_MS = 300_000;

export const sha256 = (content) => createHash("sha256").update(content).digest("hex");

/** A UUID that is always the same for the same parts. */
export function makeKey(...parts) {
  const hex = sha256(toCanonical(parts));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The client of a site: it waits where the site says so, and sends again what got no answer. */
export function openSite({ site, token, version }) {
  const counts = { requests: 0, newest: version, nowMs: 0 };
  const own = {
    accept: "application/json",
    "user-agent": `broadsheet-client/${version}`,
    ...(token && { authorization: `Bearer ${token}` }),
  };
  const line = `npx -y ${site}/client-${version}.tgz`;
  /** Sends a request, of an object, its text or the parts of a form, until there is an answer. */
  const ask = async (method, path, given = /** @type {any} */ ({})) => {
    const { body, text = JSON.stringify(body), parts, key, ifMatch } = given;
    const headers = {
      ...own,
      ...(key && { "idempotency-key": key }),
      ...(ifMatch != null && { "if-match": `"${ifMatch}"` }),
      ...(text !== undefined && { "content-type": "application/json" }),
    };
    const sent = parts ? makeForm(parts) : text;
    const open = /^\/(@|media\/)/.test(path) ? site : `${site}/api/v1`;
    const url = path.startsWith(site) ? path : `${open}${path}`;
    for (let tries = 0; ; tries++) {
      counts.requests++;
      const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
      const answer = await fetch(url, { method, headers, body: sent, signal }).then(readAnswer, toFailure);
      const pauseMs = findPause(answer, tries);
      const message = `${site} gave no answer: ${answer.failure}.`;
      if (pauseMs === null && answer.failure) throw new Stop(EXIT.noAnswer, { code: "no_answer", message });
      if (pauseMs === null) return reportOld(answer, { site, counts });
      await wait(pauseMs);
    }
  };
  /** The same, where a refusal ends the command; `place` adds to each of its faults where it is on the disk. */
  const send = async (method, path, sent, place) => {
    const answer = await ask(method, path, sent);
    if (!answer.ok) throw refusalOf(answer, place);
    return answer;
  };
  const get = async (path) => (await send("GET", path)).json;
  return { site, ask, send, get, counts, version, line };
}

function makeForm(parts) {
  const form = new FormData();
  for (const [name, value] of Object.entries(parts)) if (value != null) form.append(name, value);
  return form;
}

async function readAnswer(response) {
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = /json/.test(response.headers.get("content-type") ?? "") && bytes.length > 0;
  const { ok, status, headers } = response;
  return { ok, status, headers, bytes, json: isJson ? JSON.parse(`${bytes}`) : null };
}

const toFailure = (error) =>
  /** @type {any} */ ({ status: 0, headers: new Headers(), failure: error.cause?.code ?? error.message });

/** How long to wait before the same request is sent again; null where the answer stands. */
function findPause({ status, headers, json }, tries) {
  const seconds = Math.max(1, Number(headers.get("retry-after")));
  if (status === 429 && seconds <= MOST_WAIT_S) console.error(`The site asks to wait ${seconds} s.`);
  if (status === 429 || json?.code === "idempotency_in_progress")
    return seconds > MOST_WAIT_S ? null : seconds * 1000;
  const isLost = status === 0 || status >= 500;
  return (isLost && WAITS_MS[tries]) || null;
}

/** Notes the time of the site, and says once that the site has a newer client. */
function reportOld(answer, { site, counts }) {
  const newest = answer.headers.get("broadsheet-client") ?? counts.newest;
  if (newest.localeCompare(counts.newest, "en", { numeric: true }) > 0)
    console.error(`The site has a newer client: npx -y ${site}/client-${newest}.tgz`);
  counts.newest = newest;
  counts.nowMs = Date.parse(answer.headers.get("date") ?? "") || Date.now();
  return answer;
}

/** The end of a command whose request was refused. */
export function refusalOf({ status, json }, place = (fault) => fault) {
  const { code = `http_${status}`, message = `The site answered ${status}.`, errors = {}, hint } = json ?? {};
  const fields = Object.entries(errors).flatMap(([field, said]) => [said].flat().map((one) => [field, one]));
  const told = fields.length > 0 ? fields : [[null, message]];
  const signIn = "enrol CODE keeps a token; BROADSHEET_TOKEN is taken, too.";
  const about = { code, hint: status === 401 ? signIn : hint, plan: choosePlan(json ?? {}) };
  const faults = told.map(([field, text]) => place({ ...about, field, message: text }));
  return new Stop(exitOf(status, code), ...faults);
}

/** The one plan by which a refused table is read; of several, the one that leaves no row out. */
export function choosePlan({ plan = null, plans = [] }) {
  const whole = plans.filter(({ left_out_count }) => left_out_count === 0);
  return plan ?? (whole.length === 1 ? whole[0] : null);
}

/** The exit code of a refusal. */
export function exitOf(status, code) {
  if (status === 401 || code === "agent_pending_claim") return EXIT.signIn;
  if (status === 412 || code === "revision_changed") return EXIT.conflict;
  return status === 429 || status >= 500 ? EXIT.noAnswer : EXIT.refused;
}
