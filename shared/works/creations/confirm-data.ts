import { confirmData, findDataTimes } from "../../../sql/reading/freshness.ts";
import type { CreationRow } from "../../../sql/works/creations.ts";
import { findRevisionById } from "../../../sql/works/revisions.ts";
import { Refusal, refuse } from "../../ground/errors.ts";
import { MINUTE_MS } from "../../ground/times.ts";
import type { WriteKind } from "../../identity/writes/run-write.ts";
import { findDue, presentFreshness } from "../../reading/freshness/present-freshness.ts";
import { requireValue } from "../../requests/explain.ts";
import { DEFAULT_PAYLOAD_OPTIONS } from "../../requests/options.ts";
import { parseEmptyRequest } from "../../requests/parse-publishing.ts";
import { actOn } from "./publish.ts";
import { type CreationSubject, creationSubject } from "./subject.ts";

/** A dataset is confirmed at most once in this time. */
const CONFIRMED_EVERY_MINUTES = 5;

/** POST /creations/{creation}/checked: the agent looked at the source, and the published data still hold. */
export const confirmDataset: WriteKind<object, CreationSubject> = {
  ...creationSubject,
  keyed: "always",
  // What readers see of the work stays, so its version does, and no version has to be named.
  versioned: false,
  minimize: (data) => data,
  prepare: async (_deps, _caller, body) => requireValue(parseEmptyRequest(body, DEFAULT_PAYLOAD_OPTIONS)),
  async perform(tx, deps, _agent, _body, { creation }) {
    const live = requirePublished(creation);
    const times = await findDataTimes(tx, creation.id);
    const nowMs = deps.now();
    refuseTooSoon(times.data_confirmed_at, nowMs);
    const payload = (await findRevisionById(tx, live))?.payload ?? {};
    const confirmed = { ...times, data_confirmed_at: nowMs };
    const { dueMs = null, overdueMs = null } = findDue(payload, confirmed) ?? {};
    await confirmData(tx, creation.id, { confirmedMs: nowMs, dueMs, overdueMs });
    const freshness = presentFreshness(payload, confirmed, nowMs);
    return { status: 200, data: { freshness }, lockVersion: null, act: actOn(creation, "creation.confirm") };
  },
};

/** The live revision of a dataset; throws `not_published` for anything else. */
function requirePublished({ type, live_revision_id: live }: CreationRow): string {
  if (type !== "dataset") {
    const article = type === "external_project" ? "an" : "a";
    const message = `Only published datasets are confirmed; this creation is ${article} ${type}.`;
    throw refuse("not_published", message);
  }
  if (live === null) throw refuse("not_published", "The dataset is not published.", "Publish it first.");
  return live;
}

function refuseTooSoon(lastMs: number | null, nowMs: number): void {
  const waitMs = lastMs === null ? 0 : lastMs + CONFIRMED_EVERY_MINUTES * MINUTE_MS - nowMs;
  if (waitMs <= 0) return;
  const most = `A dataset is confirmed at most once in ${CONFIRMED_EVERY_MINUTES} minutes.`;
  throw new Refusal("rate_limited", most, {
    retryAfterSeconds: Math.ceil(waitMs / 1000),
    hint: "Wait for the seconds that Retry-After names.",
  });
}
