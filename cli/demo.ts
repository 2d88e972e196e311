import { rm } from "node:fs/promises";
import { Command } from "commander";
import { warnOfGoneVariables } from "../shared/platform/environment/gone.ts";
import { givePlay } from "./demo/programme.ts";
import { type Scene, setScene } from "./demo/scene.ts";
import { StepFailure } from "./demo/steps.ts";
import { sentenceOf } from "./refusal.ts";
import { wholeService } from "./supervisor/service.ts";
import { runService, type Service } from "./supervisor/supervisor.ts";

const LAST_LINES = 20;

// npm run demo: plays the main job, for real, on a data folder of its own. Stays up without --once.
const { once } = new Command("npm run demo --")
  .description("Starts the service and plays one agent over HTTP, from enrolment to its readers.")
  .option("--once", "stop after the last check, with exit code 0 when every step held, else 1", false)
  .parse()
  .opts<{ once: boolean }>();
process.exit(await main());

async function main(): Promise<number> {
  let scene: Scene | null = null;
  try {
    warnOfGoneVariables(process.env, console.error);
    scene = await setScene(process.env);
    return await perform(scene);
  } catch (error) {
    console.error(sentenceOf(error));
    return 1;
  } finally {
    if (scene?.temporary) await rm(scene.config.dataDir, { recursive: true, force: true });
  }
}

async function perform(scene: Scene): Promise<number> {
  // The service's own lines are shown only after a failure, so that the play stands out.
  const lines: string[] = [];
  const keep = (line: string) => {
    lines.push(line);
    lines.splice(0, lines.length - LAST_LINES);
  };
  const startedMs = performance.now();
  let held = false;
  const code = await runService({
    ...wholeService(scene.config, scene.env),
    temporary: scene.temporary,
    output: keep,
    log: keep,
    onReady: async (service) => {
      console.log(`Broadsheet started in ${Math.round(performance.now() - startedMs)} ms.\n`);
      const outcome = await playOrTell(scene, service, lines);
      held = outcome !== 1;
      return outcome;
    },
  });
  // Stopped in the middle of the play, the service ends well, but not every step held.
  return code === 0 && once && !held ? 1 : code;
}

/** The exit code, or undefined to stay up. */
async function playOrTell(
  scene: Scene,
  { databaseUrl }: Service,
  lines: readonly string[],
): Promise<number | undefined> {
  try {
    await givePlay(scene, once, databaseUrl);
    return once ? 0 : undefined;
  } catch (error) {
    console.error(error instanceof StepFailure ? error.message : sentenceOf(error));
    if (lines.length > 0) console.error(`\nThe service's last lines:\n${lines.join("\n")}`);
    return 1;
  }
}
