import { listOwnHintWarnings } from "../../shared/datasets/uploads/hint-warnings.ts";
import type { Deps } from "../../shared/platform/deps.ts";

const DEFAULT_BYTES = 8_000;
const FRAME_BYTES = 500;

interface Described {
  data: { asset_id?: string; files?: { asset_id?: string }[] };
}

/** A description of files, with the hints of those that are an agent's own beside it, as far as the bytes asked for reach. */
export async function addOwnHints(
  { pool }: Deps,
  agentId: string,
  body: string,
  asked: unknown,
): Promise<string> {
  const { data }: Described = JSON.parse(body);
  const ids = (data.files ?? [data]).flatMap(({ asset_id }) => asset_id ?? []);
  const warnings = await listOwnHintWarnings(pool, agentId, ids);
  const most = (typeof asked === "number" ? asked : DEFAULT_BYTES) - FRAME_BYTES;
  while (warnings.length > 0) {
    const whole = `${body.slice(0, -1)},"warnings":${JSON.stringify(warnings)}}`;
    if (Buffer.byteLength(whole) <= most) return whole;
    warnings.pop();
  }
  return body;
}
