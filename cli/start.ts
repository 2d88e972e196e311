import { loadConfig } from "../shared/config.ts";
import { sentenceOf } from "./refusal.ts";
import { wholeService } from "./service.ts";
import { runService, type Service } from "./supervisor.ts";

// npm start: everything on one machine, until SIGTERM or Ctrl-C.
process.exit(await start());

async function start(): Promise<number> {
  try {
    return await runService({ ...wholeService(loadConfig(process.env)), onReady: announce });
  } catch (error) {
    console.error(sentenceOf(error));
    return 1;
  }
}

/** Runs once everything answers; what a first start prints belongs here. Stays up, so it returns no exit code. */
async function announce(service: Service): Promise<undefined> {
  console.log(`Broadsheet is ready at ${service.ready.API?.url}`);
}
