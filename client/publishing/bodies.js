import { bindPayload } from "../reading/links.js";
import { refusalOf } from "../site/http.js";

/** Makes the body of a work from the ids that there are by now; says whether one is missing. */
export function rebuild(run, plan) {
  const toId = ({ path, address }) =>
    path ? (run.plans.get(path).remote?.id ?? null) : run.addresses.get(address).id;
  const { payload, leftOut } = bindPayload(
    plan.work,
    toId,
    ({ path, address }) => plan.from[path ?? address],
  );
  plan.work.files.forEach(({ path, at }) => {
    payload.attachments[at] = { asset_id: plan.assets[path].asset_id, ...payload.attachments[at] };
  });
  plan.leftOut = leftOut;
  plan.body = makeBody(plan, payload, run.options);
  return leftOut.length > 0;
}

/** The body that saves a work: of a new one with type and slug. */
export function makeBody({ work, remote, known, told }, payload, options) {
  const { section, disclosure, change_summary, minor, correction } = work.beside;
  const said =
    options.changeSummary ?? (change_summary === known?.change_summary ? undefined : change_summary);
  const isUpdate = Boolean(remote?.first_published_at);
  const body = {
    ...(remote === null && { type: work.type, slug: work.slug }),
    payload,
    section,
    disclosure,
    change_summary: said ?? (isUpdate ? told.summary : undefined),
    minor: options.minor ?? (said === undefined ? undefined : minor),
    correction: options.correction ?? (said === undefined ? undefined : correction),
  };
  return JSON.parse(JSON.stringify(body));
}

/** A write of a work; a refusal ends the run, with the drafts that it leaves. */
export async function writeWork(run, plan, method, path, sent) {
  const answer = await run.site.ask(method, path, sent);
  if (answer.ok) return answer;
  throw refusalOf(answer, (field, message) => plan.placeOf(field, message));
}
