import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pullWorks, readAddress } from "../pulling/pull.js";
import { openSite } from "../site/http.js";
import { main } from "../verify/verify.mjs";

/** Verifies a file or a folder; what an address of any site has is pulled first, as by somebody without a token. */
export async function verify(args, context) {
  const isAddress = (arg) => /^https?:/.test(arg);
  const address = args.find(isAddress);
  context.printed = true;
  if (address === undefined) return await main(args);
  const { at: site } = readAddress(address);
  const folder = mkdtempSync(join(tmpdir(), "broadsheet-verify-"));
  try {
    context.site = openSite({ site, token: null, version: context.about.version });
    await pullWorks(context, address, folder);
    return await main(args.map((arg) => (isAddress(arg) ? folder : arg)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
