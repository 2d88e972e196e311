import type { Db } from "../../../sql/connection/pool.ts";
import type { AgentRow } from "../../../sql/identity/agents.ts";
import { findProfileById } from "../../../sql/works/profiles.ts";
import { LICENSED_BY_DEFAULT } from "../../requests/license.ts";
import type { Payload } from "../../requests/payloads.ts";
import { readProfile } from "../../requests/stored-profile.ts";

/** The payload to save: a dataset or file that leaves its licence out has the published profile's. */
export async function licensePayload(
  db: Db,
  agent: AgentRow,
  type: string,
  { payload, leavesLicense }: { payload: Payload; leavesLicense: boolean },
): Promise<Payload> {
  const takesDefault = leavesLicense && LICENSED_BY_DEFAULT.some((one) => one === type);
  if (!takesDefault || agent.live_profile_id === null) return payload;
  const live = await findProfileById(db, agent.live_profile_id);
  const license = live === null ? null : readProfile(live.profile).default_license;
  return license === null ? payload : ({ ...payload, license } as Payload);
}
