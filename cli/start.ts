import { VERSION } from "../shared/ground/version.ts";
import { prepareFirstStart } from "../shared/identity/owners/first-owner.ts";
import { type Config, loadConfig } from "../shared/platform/config.ts";
import { warnOfGoneVariables } from "../shared/platform/environment/gone.ts";
import { refuseWords } from "../shared/platform/process/refuse-words.ts";
import { sentenceOf } from "./refusal.ts";
import { openStarterLog, type StarterLog } from "./starter-log.ts";
import { wholeService } from "./supervisor/service.ts";
import { runService, type Service } from "./supervisor/supervisor.ts";

// npm start: everything on one machine, until SIGTERM or Ctrl-C.
process.exit(await start(openStarterLog()));

async function start(log: StarterLog): Promise<number> {
  try {
    refuseWords("npm start", process.argv.slice(2));
    warnOfGoneVariables(process.env, (sentence) => log.note(sentence, "warn"));
    const config = loadConfig(process.env);
    log.note(`Broadsheet ${VERSION} starts`);
    const code = await runService({
      ...wholeService(config),
      log: log.note,
      refuse: log.fail,
      onReady: (service) => announce(service, config, log),
    });
    if (code === 0) log.note("stopped");
    return code;
  } catch (error) {
    log.fail(sentenceOf(error));
    return 1;
  }
}

/** Runs once everything answers. Stays up, so it returns no exit code. */
async function announce(service: Service, config: Config, log: StarterLog): Promise<undefined> {
  const first = await prepareFirstStart(service.databaseUrl, config);
  if (first !== null) log.showFirstStart(first, config.siteUrl);
  log.showReady(service.ready.API?.url);
}
