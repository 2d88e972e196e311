import { checkWork, chooseRelease } from "./check.js";
import { isAsKnown, isConflict, sayWays } from "./plan.js";
import { planProfile } from "./profile.js";
import { bindWork, listLeftAlone, planWorks } from "./publish.js";
import { reportWork } from "./save.js";
import { lookAtFile } from "./upload.js";

/** Tells of each work which side changed, and what the newest data no longer bear out. */
export async function reportStatus(run) {
  const { folder, report, agent } = run;
  const plans = await planWorks(run);
  for (const plan of plans)
    for (const file of plan.work.files) {
      plan.assets[file.path] = lookAtFile(run, plan, file);
      run.assets.set(file.path, plan.assets[file.path]);
    }
  const { told, saves, data } = (await planProfile(run)) ?? {};
  if (told) report.works.push({ ...told, state: data.draft.state, changed: saves ? ["folder"] : [] });
  for (const plan of plans) report.works.push(await describeWork(run, plan));
  report.works.push(...listLeftAlone(run));
  Object.assign(report, { errors: folder.faults, remaining: agent.remaining });
}

async function describeWork(run, plan) {
  const { work, remote, isOther } = plan;
  const isChanged = !isAsKnown(run, { ...plan, isOther: false });
  plan.saves = isChanged || isOther;
  if (isOther && canCheck(run, work)) {
    await bindWork(run, plan, [...run.plans.values()]);
    await checkWork(run, plan);
  }
  const shown = await readShown(run, work.payload.body_markdown === undefined ? null : remote);
  plan.told.evidence = shown.evidence;
  const sides = [isChanged ? "folder" : [], isOther ? "site" : []].flat();
  const [conflict, isOpen] = [isConflict(plan), remote && chooseRelease(run, plan) !== null];
  return {
    ...reportWork(run, plan),
    ...(isOpen && { did: "updated" }),
    ...(conflict && { hint: sayWays(run, plan) }),
    ...{ changed: plan.saves ? sides : [], conflict, no_longer_holds: listBroken(shown) },
  };
}

/** Whether the site has all files that a work has or asks, so that it can compare the work with its own. */
function canCheck({ folder, assets }, { files, links }) {
  const asked = files.concat(links.filter(({ kind, path }) => kind === "file" && path));
  return folder.faults.length === 0 && asked.every(({ path }) => assets.get(path)?.asset_id);
}

/** A text as everybody reads it, with nothing to ask where nobody does. */
export async function readShown({ site }, remote) {
  const answer = remote?.json_url ? await site.ask("GET", remote.json_url) : null;
  return answer?.json?.data ?? { figures: [], charts: [], evidence: null };
}

/** The figures and charts of a live text that the newest data do not bear out, with what they say. */
export function listBroken({ figures, charts }) {
  const all = [
    ...figures.map((figure, at) => ({ ...figure, kind: "figure", n: at + 1 })),
    ...charts.map((chart) => ({ ...chart, kind: "chart", n: chart.number, text: chart.title })),
  ];
  const isBroken = ({ now }) => now !== null && !["holds", "not_asked"].includes(now.state);
  return all.filter(isBroken).map(({ kind, n, text, now }) => ({ kind, n, text, ...now }));
}
