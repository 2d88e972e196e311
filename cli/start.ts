import { VERSION } from "../shared/ground/version.ts";
import { warnOfGoneVariables } from "../shared/platform/environment/gone.ts";
import { collectStartGarbage } from "../shared/platform/process/collect-start-garbage.ts";
import { refuseWords } from "../shared/platform/process/refuse-words.ts";
import { sentenceOf } from "./refusal.ts";
import { openPreparation, type Preparation } from "./starter/prepare.ts";
import { openStarterLog, type StarterLog } from "./starter-log.ts";
import { serviceOf } from "./supervisor/service.ts";
import { runService, type Service } from "./supervisor/supervisor.ts";

// npm start: everything on one machine, until SIGTERM or Ctrl-C. This process stays, so it loads little.
process.exit(await start(openStarterLog()));

async function start(log: StarterLog): Promise<number> {
  try {
    refuseWords("npm start", process.argv.slice(2));
    warnOfGoneVariables(process.env, (sentence) => log.note(sentence, "warn"));
    const preparation = await openPreparation();
    log.note(`Broadsheet ${VERSION} starts`);
    const code = await runService({
      ...serviceOf(preparation.config, preparation.migrate),
      log: log.note,
      refuse: log.fail,
      onReady: (service) => announce(service, preparation, log),
    });
    if (code === 0) log.note("stopped");
    return code;
  } catch (error) {
    log.fail(sentenceOf(error));
    return 1;
  }
}

/** Runs once everything answers. Stays up, so it returns no exit code. */
async function announce(service: Service, preparation: Preparation, log: StarterLog): Promise<undefined> {
  const first = await preparation.prepareFirstStart(service.databaseUrl);
  preparation.end();
  if (first !== null) log.showFirstStart(first, preparation.config.siteUrl);
  log.showReady(service.ready.API?.url);
  collectStartGarbage();
}
