import { hasEmailBlock } from "../../../sql/care/blocks.ts";
import type { Db } from "../../../sql/connection/pool.ts";
import { validationFailed } from "../../ground/errors.ts";
import type { Deps } from "../../platform/deps.ts";
import { toDomainName } from "../domains/names.ts";

/** An e-mail address as blocks compare it: its domain in lowercase ASCII. */
export function toBlockedEmail(email: string): string {
  const at = email.lastIndexOf("@");
  const domain = email.slice(at + 1);
  return `${email.slice(0, at)}@${toDomainName(domain) ?? domain}`.toLowerCase();
}

/** Whether a block in force names an e-mail address, its domain or a domain above that. */
export async function isEmailBlocked(deps: Deps, email: string, db: Db = deps.pool): Promise<boolean> {
  const compared = toBlockedEmail(email);
  const labels = compared.slice(compared.lastIndexOf("@") + 1).split(".");
  const domains = labels.map((_, place) => labels.slice(place).join("."));
  return await hasEmailBlock(db, { email: compared, domains, nowMs: deps.now() });
}

/** Refuses a blocked e-mail address in a command of operators; nobody else is told of a block. */
export async function refuseBlockedEmail(deps: Deps, email: string): Promise<void> {
  if (!(await isEmailBlocked(deps, email))) return;
  const sentence =
    "This e-mail address is blocked. See site blocks; site unblock lifts the block of an address or a domain.";
  throw validationFailed({ email: [sentence] });
}
