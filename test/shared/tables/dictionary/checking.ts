import type { ValueSet } from "../../../../shared/tables/dictionary/check-column.ts";
import { checkTable, readValues } from "../../../../shared/tables/dictionary/check-table.ts";
import type { DictionaryMember } from "../../../../shared/tables/dictionary/dictionary.ts";
import { resolveDictionaries } from "../../../../shared/tables/dictionary/resolve.ts";
import type { RuleFault, TableBytes } from "../../../../shared/tables/dictionary/table-rules.ts";
import { listTables } from "../../../../shared/tables/rows/plan.ts";
import { parseCreateRequest } from "../../requests/samples.ts";
import type { ReadyFile } from "../rows/reading.ts";

/** A file of a payload, with what is said of its columns. */
export interface Attached {
  label: string;
  ready: ReadyFile;
  dictionary?: unknown;
}

const ASSET_ID = "01M7WVM8W0T8NYB19BE1ATAT9N";

/** What a save of these files would be refused for, by path; empty where it is accepted. */
export function findFaults(attached: readonly Attached[]): Record<string, string[]> {
  const attachments = attached.map(({ label, dictionary }) => ({ asset_id: ASSET_ID, label, dictionary }));
  const body = JSON.parse(JSON.stringify({ type: "dataset", payload: { title: "Tables", attachments } }));
  const parsed = parseCreateRequest(body);
  if (!parsed.ok) return parsed.errors;
  const { payload } = parsed.value;
  if (!("attachments" in payload)) return {};
  const files = payload.attachments.map((one, at) => ({
    label: one.label,
    dictionary: ("dictionary" in one ? (one.dictionary as DictionaryMember) : null) ?? null,
    file: attached[at]?.ready.file ?? NO_FILE,
  }));
  const { tables, faults } = resolveDictionaries(files);
  if (faults.length > 0) return toErrors(faults);
  const found: RuleFault[] = [];
  for (const rules of tables) {
    const sets = new Map<string, ValueSet>();
    for (const { path, reference } of rules.columns) {
      if (reference === null) continue;
      const target = files[reference.attachment]?.file;
      const table = listTables(target).find(({ position }) => position === reference.position);
      const names = table?.columns.map(({ name }) => name) ?? [];
      const values = { tableColumns: names, rowCount: table?.rowCount ?? 0 };
      sets.set(path, readValues(values, placeTable(attached, reference), reference));
    }
    checkTable(rules, placeTable(attached, rules), sets, found);
  }
  return toErrors(found);
}

const NO_FILE = {
  format: "csv",
  inspection: null,
  tables: [],
  bytes: 0,
} as const satisfies ReadyFile["file"];

function placeTable(
  attached: readonly Attached[],
  { attachment, position }: { attachment: number; position: number | null },
): TableBytes {
  const ready = attached[attachment]?.ready;
  if (ready?.index == null) throw new Error("the test attaches no table");
  const place = ready.index.tables.find((table) => table.position === position);
  const bytes = Buffer.concat([ready.content, Buffer.from("\n")]);
  return { bytes, format: ready.file.format, firstRowAt: place?.offsets[0] ?? 0, seed: 7 };
}

function toErrors(faults: readonly RuleFault[]): Record<string, string[]> {
  const errors = new Map<string, string[]>();
  for (const { path, sentence } of faults) errors.set(path, [...(errors.get(path) ?? []), sentence]);
  return Object.fromEntries(errors);
}
