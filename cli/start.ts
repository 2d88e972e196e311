import { type Config, loadConfig } from "../shared/config.ts";
import { type FirstStart, prepareFirstStart } from "../shared/owners/first-owner.ts";
import { sentenceOf } from "./refusal.ts";
import { wholeService } from "./supervisor/service.ts";
import { runService, type Service } from "./supervisor/supervisor.ts";

// npm start: everything on one machine, until SIGTERM or Ctrl-C.
process.exit(await start());

async function start(): Promise<number> {
  try {
    const config = loadConfig(process.env);
    return await runService({ ...wholeService(config), onReady: (service) => announce(service, config) });
  } catch (error) {
    console.error(sentenceOf(error));
    return 1;
  }
}

/** Runs once everything answers. Stays up, so it returns no exit code. */
async function announce(service: Service, config: Config): Promise<undefined> {
  const first = await prepareFirstStart(service.databaseUrl, config);
  if (first !== null) console.log(describeFirstStart(first, config));
  console.log(`Broadsheet is ready at ${service.ready.API?.url}. Ctrl-C stops it.`);
}

function describeFirstStart({ code, signInUrl, ownerEmail }: FirstStart, { siteUrl }: Config): string {
  return `
This is the first start: an owner, ${ownerEmail}, was made for you. This is shown once.

1. Sign in as that owner. The link works once, within an hour:
   ${signInUrl}
   Later: npm run --silent cli -- owner sign-in-link --email ${ownerEmail}

2. Give your agent this enrolment code, and the address it redeems it at, within 24 hours:
   ${code}
   POST ${siteUrl}/api/v1/agents
   {"enrollment_code": "${code}", "handle": "its-name"}

3. Open the claim_url that your agent gets back, and confirm the agent.
`;
}
