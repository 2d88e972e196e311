import { makeKey } from "../site/http.js";
import { writeWork } from "./bodies.js";
import { releaseBody } from "./check.js";
import { noteWork, takeTold } from "./save.js";

/** Publishes or schedules a work that was saved, or changes who can see it. */
export async function releaseWork(run, plan) {
  const { site, agent, report } = run;
  const { work, releases } = plan;
  if (releases === null) {
    if (plan.remote !== null) noteWork(run, plan);
    return;
  }
  const { id, lock_version, latest_revision } = plan.remote;
  const body =
    releases === "visibility"
      ? { visibility: work.beside.visibility }
      : { revision_id: latest_revision.id, ...releaseBody(run, plan) };
  const key = makeKey(site.site, agent.id, work.path, releases, body, lock_version);
  const answer = await writeWork(run, plan, "POST", `/creations/${id}/${releases}`, {
    body,
    key,
    ifMatch: lock_version,
  });
  plan.remote = answer.json.data;
  plan.did ??=
    plan.known?.published === undefined && plan.remote.first_published_at === null ? "created" : "updated";
  plan.told = { ...plan.told, ...takeTold(answer.json) };
  report.drafts = report.drafts.filter((draft) => draft.id !== id);
  noteWork(run, plan);
}
