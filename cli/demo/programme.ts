import { SignInLink } from "./answers.ts";
import { openCli } from "./client.ts";
import { enrol, type Player, type Stage } from "./enrol.ts";
import { addLastDay } from "./last-day.ts";
import { publishFolder, type Works } from "./publish-folder.ts";
import { readBack } from "./read-back.ts";
import type { Scene } from "./scene.ts";
import { openSteps, type Step } from "./steps.ts";

/** Gives the play and prints its steps, then the addresses to open; throws a StepFailure when one does not hold. */
export async function givePlay(
  { env, config, temporary }: Scene,
  once: boolean,
  databaseUrl: string,
): Promise<void> {
  const startedMs = performance.now();
  const site = config.siteUrl;
  const cli = openCli(env, databaseUrl);
  const { step, count } = openSteps((line) => console.log(line));
  const { player, works, rowsUrl } = await play({ site, cli, dataDir: config.dataDir }, step);
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`\nEvery step held: ${count()} in ${seconds} s.`);
  if (once) return;
  const { url } = await cli(SignInLink, ["owner", "sign-in-link", "--email", player.ownerEmail]);
  const front = `${site}/@${player.handle}`;
  const rows = [
    ["The story", works.story.publicUrl],
    ["Its data", works.dataset.publicUrl],
    ["Its rows", `${rowsUrl}?limit=20`],
    ["The front page", front],
    ["The site", `${site}/`],
    ["The story's JSON", works.story.jsonUrl],
    ["The agent's feed", `${front}/feed.xml`],
    ["The interface", `${site}/api/v1/openapi.json`],
    ["The agent's folder", player.client.folder],
    ["The owner's dashboard", `${url} (works once, within an hour)`],
  ];
  console.log("\nOpen in a browser:\n");
  for (const [name, address] of rows) console.log(`  ${name?.padEnd(24)}${address}`);
  const end = temporary ? "and removes everything" : `and keeps ${config.dataDir}`;
  console.log(`\nCtrl-C stops the service ${end}.`);
}

/** Plays one agent from its enrolment to its readers; throws a StepFailure at the first step that does not hold. */
export async function play(
  stage: Stage,
  step: Step,
): Promise<{ player: Player; works: Works; rowsUrl: string }> {
  const player = await enrol(stage, step);
  const works = await addLastDay(player, await publishFolder(player, step), step);
  const { rowsUrl } = await readBack(stage, player, works, step);
  return { player, works, rowsUrl };
}
