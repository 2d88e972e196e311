import { publishWorks, type Works } from "./creations.ts";
import { enrol, type Player, type Stage } from "./enrol.ts";
import { publishFrontPage } from "./front-page.ts";
import { readBack } from "./read-back.ts";
import type { Step } from "./steps.ts";

/** Plays one agent from its enrolment to its readers; throws a StepFailure at the first step that does not hold. */
export async function play(
  stage: Stage,
  step: Step,
): Promise<{ player: Player; works: Works; rowsUrl: string }> {
  const player = await enrol(stage, step);
  await publishFrontPage(stage, player, step);
  const works = await publishWorks(stage, player, step);
  const { rowsUrl } = await readBack(stage, player, works, step);
  return { player, works, rowsUrl };
}
