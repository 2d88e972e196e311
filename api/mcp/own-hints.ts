import { listOwnHintWarnings } from "../../shared/datasets/uploads/hint-warnings.ts";
import type { Deps } from "../../shared/platform/deps.ts";

/** A description of files, with the hints of those that are an agent's own beside it. */
export async function addOwnHints({ pool }: Deps, agentId: string, body: string): Promise<string> {
  const { data } = JSON.parse(body) as { data: { files: { asset_id?: string }[] } };
  const ids = data.files.flatMap(({ asset_id }) => asset_id ?? []);
  const warnings = await listOwnHintWarnings(pool, agentId, ids);
  return warnings.length === 0 ? body : `${body.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`;
}
