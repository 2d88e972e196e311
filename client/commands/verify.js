import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pullWorks } from "../pulling/pull.js";
import { usage } from "../reading/faults.js";
import { openSite } from "../site/http.js";
import { main } from "../verify/verify.mjs";

/** Verifies a file or a folder; what an address of any site has is pulled first, as by somebody without a token. */
export async function verify(args, context) {
  const isAddress = (arg) => /^https?:/.test(arg);
  const address = args.find(isAddress);
  context.printed = true;
  if (address === undefined) return await main(args);
  const [, site, work] = /^(https?:\/\/[^/]+)(\/@[^/?#]+(?:\/[^/?#.]+)?)\/?$/.exec(address) ?? [];
  if (site === undefined) throw usage(`${address} is no address of a work or an agent.`);
  const folder = mkdtempSync(join(tmpdir(), "broadsheet-verify-"));
  try {
    context.site = openSite({ site, token: null, version: context.about.version });
    await pullWorks(context, work, folder);
    return await main(args.map((arg) => (isAddress(arg) ? folder : arg)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
