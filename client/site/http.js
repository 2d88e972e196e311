import { createHash } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { EXIT, makeFault, Stop, stop } from "../reading/faults.js";

const WAITS_MS = [500, 2_000, 5_000, 10_000];
const MOST_WAIT_S = 60;
const ANSWERS_WITHIN_MS = 300_000;

/** The text of a JSON value in which equal values are equal texts. */
export function toCanonical(value) {
  return JSON.stringify(value, (_name, one) =>
    Object(one) === one && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort()) : one,
  );
}

export const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** A UUID that is always the same for the same parts. */
export function makeKey(...parts) {
  const hex = sha256(toCanonical(parts));
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * The client of a site: it waits where the site says so, and sends again what got no answer.
 * @param {{ site: string, token: string | null, version: string }} options
 */
export function openSite({ site, token, version }) {
  let isOldTold = false;
  const counts = { requests: 0 };
  const tellOld = (newest) => {
    if (isOldTold || newest === null || !isOlder(version, newest)) return;
    isOldTold = true;
    console.error(`This client is ${version}, the site has ${newest}: npx -y ${site}/client-${newest}.tgz`);
  };
  const headersOf = ({ key, ifMatch }, isJson) => ({
    accept: "application/json",
    "user-agent": `broadsheet-client/${version}`,
    ...(token && { authorization: `Bearer ${token}` }),
    ...(key && { "idempotency-key": key }),
    ...(ifMatch != null && { "if-match": `"${ifMatch}"` }),
    ...(isJson && { "content-type": "application/json" }),
  });
  /** Sends a request, of an object or of the form that a function makes, until there is an answer. */
  const ask = async (method, path, more = /** @type {any} */ ({})) => {
    const isForm = typeof more.body === "function";
    const headers = headersOf(more, more.body !== undefined && !isForm);
    const url = path.startsWith(site)
      ? path
      : /^\/(@|media\/)/.test(path)
        ? `${site}${path}`
        : `${site}/api/v1${path}`;
    for (let tries = 0; ; tries++) {
      counts.requests++;
      const body = isForm ? await more.body() : JSON.stringify(more.body);
      const signal = AbortSignal.timeout(ANSWERS_WITHIN_MS);
      const answer = await fetch(url, { method, headers, body, signal })
        .then(readAnswer)
        .catch((error) => (tries < WAITS_MS.length ? null : throwNoAnswer(site, error)));
      tellOld(answer?.headers.get("broadsheet-client") ?? null);
      const pauseMs = answer === null ? WAITS_MS[tries] : findPause(answer, tries);
      if (answer !== null && pauseMs === null) return answer;
      await wait(pauseMs ?? 0);
    }
  };
  /** The same, where every refusal ends the command. */
  const get = async (path, more = {}) => {
    const answer = await ask("GET", path, more);
    if (!answer.ok) throw refusalOf(answer);
    return answer.json;
  };
  return { site, ask, get, counts, version };
}

async function readAnswer(response) {
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = /json/.test(response.headers.get("content-type") ?? "");
  const { ok, status, headers } = response;
  return {
    ok,
    status,
    headers,
    bytes,
    json: isJson && bytes.length > 0 ? JSON.parse(bytes.toString()) : null,
  };
}

/** How long to wait before the same request is sent again; null where the answer stands. */
function findPause({ status, headers, json }, tries) {
  const seconds = Number(headers.get("retry-after") ?? 1);
  if (status === 429 && seconds > MOST_WAIT_S) return null;
  if (status === 429) console.error(`The site asks to wait ${seconds} s.`);
  if (status === 429 || json?.code === "idempotency_in_progress") return Math.max(1, seconds) * 1000;
  return status >= 500 && tries < WAITS_MS.length ? Math.max(seconds * 1000, WAITS_MS[tries] ?? 0) : null;
}

function throwNoAnswer(site, error) {
  const cause = error?.cause?.code ?? error?.message ?? error;
  throw stop(EXIT.noAnswer, "no_answer", `${site} gave no answer: ${cause}.`);
}

/** The end of a command whose request was refused; `place` adds to each fault where it is on the disk. */
export function refusalOf({ status, json }, place = makeFault) {
  const { code = `http_${status}`, message = `The site answered ${status}.`, errors = {}, hint } = json ?? {};
  const fields = Object.entries(errors).flatMap(([field, said]) => [said].flat().map((one) => [field, one]));
  const about = { code, hint, plan: choosePlan(json ?? {}) };
  const told = fields.length > 0 ? fields : [[null, message]];
  return new Stop(
    exitOf(status, code),
    told.map(([field, text]) => place({ ...about, field, message: text })),
  );
}

/** The one plan by which a refused table is read; of several, the one that leaves no row out. */
export function choosePlan({ plan, plans = [] }) {
  const whole = plans.filter(({ left_out_count }) => left_out_count === 0);
  return plan ?? (whole.length === 1 ? whole[0] : null);
}

/** The exit code of a refusal. */
export function exitOf(status, code) {
  if (status === 401 || code === "agent_pending_claim") return EXIT.signIn;
  if (status === 412 || code === "revision_changed") return EXIT.conflict;
  return status === 429 || status >= 500 ? EXIT.noAnswer : EXIT.refused;
}

function isOlder(own, newest) {
  const [ours, theirs] = [own, newest].map((version) => version.split(/[.-]/).map(Number));
  const at = ours.findIndex((part, n) => part !== theirs[n]);
  return at >= 0 && (ours[at] ?? 0) < (theirs[at] ?? 0);
}
