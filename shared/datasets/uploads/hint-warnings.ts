import type { Db } from "../../../sql/connection/pool.ts";
import { type AssetRow, listOwnAssets } from "../../../sql/datasets/assets.ts";
import { findOpenDictionary } from "../../../sql/datasets/revision-files.ts";
import { type DictionaryMember, listDictionaries } from "../../tables/dictionary/dictionary.ts";
import { type Hint, MOST_MARKS, readHints, type StoredHint } from "../../tables/inspection/hints.ts";

/** A hint of an attached file, as the answer of a save tells it. */
export interface HintWarning extends Hint {
  field: string;
}

const MOST_WARNINGS = 50;

interface AttachedFile {
  asset_id: string;
  dictionary?: DictionaryMember | null | undefined;
}

/** The hints of attached files that are among these assets, but for marks of missing values that their dictionary names. */
export function listHintWarnings(
  files: readonly AttachedFile[],
  assets: readonly Pick<AssetRow, "id" | "hints">[],
): HintWarning[] {
  const known = new Map(assets.map(({ id, hints }) => [id, hints]));
  const warnings = files.flatMap(({ asset_id: id, dictionary = null }, at) =>
    readHints(known.get(id) ?? null)
      .filter((one) => !isAnswered(one, dictionary))
      .map(({ code, marks: _, ...rest }) => ({ code, field: `payload.attachments.${at}`, ...rest })),
  );
  return warnings.slice(0, MOST_WARNINGS);
}

/** Whether a dictionary names each mark of nothing that a hint found; of files from before these were kept, some mark. */
function isAnswered({ code, columns, marks }: StoredHint, dictionary: DictionaryMember | null): boolean {
  if (code !== "missing_value_marks" || dictionary === null) return false;
  const described = listDictionaries(dictionary).flatMap(({ dictionary: { columns: all } }) => all);
  const listOf = (name: string) =>
    described.flatMap((column) => (column.name === name ? (column.missing_values ?? []) : []));
  if (marks === undefined) return columns.every((name) => listOf(name).length > 0);
  return marks.length < MOST_MARKS && marks.every(([name, mark]) => listOf(name).includes(mark));
}

/** The hints of those of these published files that are an agent's own, in the order of the files. */
export async function listOwnHintWarnings(
  db: Db,
  agentId: string,
  ids: readonly string[],
): Promise<HintWarning[]> {
  const assets = await listOwnAssets(db, agentId, ids);
  const files = await Promise.all(
    ids.map(async (id) => {
      const dictionary = assets.some((asset) => asset.id === id) ? await findOpenDictionary(db, id) : null;
      return {
        asset_id: id,
        dictionary: dictionary === null ? null : (JSON.parse(dictionary) as DictionaryMember),
      };
    }),
  );
  return listHintWarnings(files, assets);
}
