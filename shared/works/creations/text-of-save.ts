import { validationFailed } from "../../ground/errors.ts";
import type { Judge } from "../../identity/writes/judge.ts";
import type { Deps } from "../../platform/deps.ts";
import { isReadAtOnce } from "../../text/markdown/read-text.ts";
import type { Warning } from "./publication-checks.ts";

const MOST_WARNINGS = 50;

/** Tells the judge the faults of a text that its schema leaves to a thread; false where it has some. */
export async function judgeLongText(
  { texts }: Deps,
  agentId: string,
  text: string | null,
  judge: Judge,
): Promise<boolean> {
  if (text === null || isReadAtOnce(text)) return true;
  const { faults } = await texts.read(text, agentId);
  const sentences = faults.map((fault) => (/^[a-z]/.test(fault) ? `The body_markdown ${fault}.` : fault));
  if (faults.length > 0) judge(validationFailed({ "payload.body_markdown": sentences }));
  return faults.length === 0;
}

/** A warning for each table of a text that readers see as text, and each drawing that they see as code. */
export async function warnOfUndrawn(
  { texts }: Deps,
  agentId: string,
  text: string | null,
): Promise<Warning[]> {
  if (text === null) return [];
  const { undrawnTables, undrawnFences } = await texts.read(text, agentId);
  const tables = undrawnTables.map((line) => ({
    ...{ code: "table_not_drawn" as const, field: "payload.body_markdown", line },
    message: `Line ${line}: this is no table, as the row of dashes under it has another number of cells. Give both rows as many.`,
  }));
  const fences = undrawnFences.map((line) => ({
    ...{ code: "fence_not_drawn" as const, field: "payload.body_markdown", line },
    message: `Line ${line}: this is shown as code. The fence of a chart has the word chart, that of a flowchart the word mermaid.`,
  }));
  return [...tables, ...fences].slice(0, MOST_WARNINGS);
}
