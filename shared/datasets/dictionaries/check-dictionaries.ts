import { type AssetRow, findReadingIndex } from "../../../sql/datasets/assets.ts";
import {
  findEarlierChecks,
  findOpenDictionary,
  type NewDictionary,
} from "../../../sql/datasets/revision-files.ts";
import { listTableStats } from "../../../sql/datasets/statistics.ts";
import { sha256 } from "../../ground/checksum.ts";
import { validationFailed } from "../../ground/errors.ts";
import { toIso } from "../../ground/times.ts";
import { type Judge, throwAtOnce } from "../../identity/writes/judge.ts";
import { workFor } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import type { Threads } from "../../platform/threads/open.ts";
import type { CheckTask } from "../../platform/threads/tasks.ts";
import type { StoredChecks } from "../../tables/dictionary/check-table.ts";
import {
  countRules,
  type DictionaryMember,
  findDictionary,
  listDictionaries,
} from "../../tables/dictionary/dictionary.ts";
import { type AttachedFile, resolveDictionaries } from "../../tables/dictionary/resolve.ts";
import {
  type DescribedCells,
  leaveOutKnown,
  MOST_FAULTS,
  mustRead,
  type RuleFault,
  type TableRules,
} from "../../tables/dictionary/table-rules.ts";
import { readTableStats } from "../../tables/statistics/brief-columns.ts";
import { STATS_VERSION } from "../../tables/statistics/measure-table.ts";
import { sha256AsRead } from "../uploads/own-assets.ts";
import { type KeyedFile, toRowsFile } from "../uploads/read-rows.ts";

/** An attachment of a payload that was accepted. */
interface Attachment {
  asset_id: string;
  label: string;
  dictionary?: DictionaryMember | null | undefined;
}

interface Described {
  attachments: readonly Attachment[];
  assets: readonly AssetRow[];
  /** Labels of attachments that are left out, undefined for one that is unknown: nothing is said of them. */
  absent?: readonly (string | undefined)[];
}

/** How the rules are read: raise it with every change of what a rule means, and no check before it is taken over. */
const RULES_VERSION = 1;
/** How long a save waits for its turn and its checks. */
const MOST_MS = 25_000;

interface Checked extends AttachedFile {
  asset: AssetRow;
  file: KeyedFile;
  rulesSha256: string;
}

/**
 * Checks the dictionaries of a payload against the bytes of its files, and gives what to keep of each attachment. A file
 * that was checked under the same rules is not read again: it never changes. 422 tells each name that is wrong, or each
 * rule that does not hold with the first row that breaks it.
 */
export async function checkDictionaries(
  deps: Deps,
  threads: Threads,
  agentId: string,
  { attachments, assets, absent = [] }: Described,
  judge: Judge = throwAtOnce,
): Promise<(NewDictionary | null)[]> {
  if (attachments.every(({ dictionary }) => dictionary == null)) return [];
  const files = attachments.flatMap(({ asset_id, label, dictionary = null }) => {
    const asset = assets.find(({ id }) => id === asset_id);
    return asset === undefined ? [] : [{ label, dictionary, asset, file: toRowsFile(asset) }];
  });
  const { tables, faults } = resolveDictionaries(files, absent);
  refuseRules(faults, judge);
  const checked = files.map((file, at): Checked => {
    const own = tables.filter(({ attachment }) => attachment === at);
    return { ...file, rulesSha256: hashRules(file, own, files) };
  });
  const earlier = await Promise.all(
    checked.map(({ dictionary, asset, rulesSha256 }) =>
      dictionary === null ? null : findEarlierChecks(deps.pool, asset.id, rulesSha256),
    ),
  );
  const left = tables.filter(({ attachment }) => earlier[attachment] === null);
  const described = await lookUp(deps, threads, agentId, { tables: left, files: checked }, judge);
  const checkedAt = toIso(deps.now());
  return checked.map(({ dictionary, rulesSha256 }, at) => {
    if (dictionary === null) return null;
    const rules = countRules(dictionary);
    const columns = left.flatMap(({ attachment, position }, place) =>
      attachment === at ? [{ position, columns: described[place] ?? [] }] : [],
    );
    const fresh: StoredChecks = { checked_at: checkedAt, rules, passed: rules, columns };
    const checks = earlier[at] ?? JSON.stringify(fresh);
    return { dictionary: JSON.stringify(dictionary), checks, rulesSha256 };
  });
}

/** A hash of all that decides whether the rules of an attachment hold: files never change. */
function hashRules(
  { dictionary, asset }: Omit<Checked, "rulesSha256">,
  tables: readonly TableRules[],
  files: readonly { asset: AssetRow }[],
): string {
  const named = tables.flatMap(({ columns }) => columns.flatMap(({ reference }) => reference ?? []));
  const references = named.map(({ attachment, position, column, missing }) => {
    const file = files[attachment];
    return [file && sha256AsRead(file.asset), position, column, missing];
  });
  return sha256(JSON.stringify([RULES_VERSION, sha256AsRead(asset), dictionary, references]));
}

/** Looks up in the bytes what is not known of the files; gives what columns with missing values hold. */
async function lookUp(
  deps: Deps,
  threads: Threads,
  agentId: string,
  { tables, files }: { tables: readonly TableRules[]; files: readonly Checked[] },
  judge: Judge,
): Promise<DescribedCells[][]> {
  const known = await Promise.all(tables.map((rules) => leaveOut(deps, rules, files)));
  const isLeft = ({ primaryKey, columns }: TableRules) => primaryKey !== null || columns.some(mustRead);
  if (!known.some(isLeft)) return known.map(() => []);
  const { queryBytes } = deps.config.limits;
  const tooLarge = known.find((rules) => (files[rules.attachment]?.file.bytes ?? 0) > queryBytes);
  if (tooLarge !== undefined) return refuseRules([{ path: tooLarge.path, sentence: TOO_MUCH }], judge);
  const requester = { key: agentId, signal: AbortSignal.timeout(MOST_MS) };
  const found = await workFor(requester, () => threads.check(() => toTask(deps, known, files)));
  if (found === null)
    return refuseRules(
      known.map(({ path }) => ({ path, sentence: TOO_MUCH })),
      judge,
    );
  refuseRules(found.faults, judge);
  return found.described;
}

const TOO_MUCH =
  "The rules of this payload are too much to check; leave out unique, primary_key and references of long columns, or describe fewer columns.";

async function leaveOut(deps: Deps, rules: TableRules, files: readonly Checked[]): Promise<TableRules> {
  const checked = files[rules.attachment];
  if (checked === undefined) return rules;
  const stats = await listTableStats(deps.pool, {
    ...{ id: checked.asset.id, version: STATS_VERSION },
    dictionarySha256: null,
  });
  const read = stats === null ? null : readTableStats(`[${stats.join(",")}]`);
  return leaveOutKnown(rules, { file: checked.file, stats: read });
}

async function toTask(deps: Deps, tables: TableRules[], files: readonly Checked[]): Promise<CheckTask> {
  const read = new Set(
    tables.flatMap(({ attachment, columns }) => [
      attachment,
      ...columns.flatMap(({ reference }) => reference?.attachment ?? []),
    ]),
  );
  const asked = files.map(async ({ asset, file }, at) => {
    const readingIndex = read.has(at) ? await findReadingIndex(deps.pool, asset.id) : null;
    return { key: file.key, file, readingIndex };
  });
  return { tables, files: await Promise.all(asked) };
}

/** Tells the judge the first sentences, if there are any. */
function refuseRules(faults: readonly RuleFault[], judge: Judge): never[] {
  const told = Map.groupBy(faults.slice(0, MOST_FAULTS), ({ path }) => path);
  const errors = Array.from(told, ([path, of]) => [path, of.map(({ sentence }) => sentence)]);
  if (errors.length > 0) judge(validationFailed(Object.fromEntries(errors)));
  return [];
}

/**
 * The primary key of a table of a file, as its dictionary says to readers; null where it says none.
 * `table` is the list of a JSON document, null where the file has one table.
 */
export async function findPrimaryKey(
  deps: Pick<Deps, "pool">,
  assetId: string,
  table: string | null,
): Promise<readonly string[] | null> {
  const json = await findOpenDictionary(deps.pool, assetId);
  return json === null ? null : readPrimaryKey(JSON.parse(json) as DictionaryMember, table);
}

/** The primary key of a table, as a file's dictionary says; `table` as above. */
export function readPrimaryKey(
  member: DictionaryMember | null,
  table: string | null,
): readonly string[] | null {
  const isOnly = member !== null && listDictionaries(member).length === 1;
  return findDictionary(member, table, isOnly)?.primary_key ?? null;
}
