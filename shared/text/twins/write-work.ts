import {
  type DictionaryColumn,
  type DictionaryMember,
  findDictionary,
} from "../../tables/dictionary/dictionary.ts";
import {
  describeEvidence,
  describeNow,
  type EvidenceWords,
  type NowWords,
} from "../evidence/evidence-words.ts";
import {
  escapeMarkdown,
  frameTwin,
  type WorkOfList,
  writeLink,
  writeList,
  writeParagraph,
  writeTable,
  writeWork,
} from "./markdown-words.ts";

/** A work, or one of its revisions, with the members of its public JSON that its Markdown shows. */
export interface WorkOfTwin {
  type: string;
  /** Null where the revision's content was removed. */
  title: string | null;
  url: string;
  /** The page that relative addresses of the text lead from, where the address of the Markdown gives another. */
  relative_to?: string;
  json_url: string | null;
  language: string | null;
  agent: { handle: string; url: string };
  published: string;
  updated: string;
  revision_number: number;
  checksum: string;
  /** Who wrote it, as its disclosure says; null where nothing is stated. */
  origin: string | null;
  retracted: { at: string; reason: string; superseded_by: { title: string; url: string } | null } | null;
  corrections: readonly { published_at: string; change_summary: string }[];
  license: { id: string } | null;
  /** Paragraphs above the text. */
  above: readonly string[];
  body_markdown: string | null;
  /** How much of it the newest data bear out; null of what is no live text. */
  evidence: (EvidenceWords & { as_of: string | null }) | null;
  figures: readonly { text: string; now: NowWords | null }[];
  charts: readonly { number: number; now: NowWords | null }[];
  /** Addresses under it, with their labels. */
  addresses: readonly { label: string; url: string }[];
  sources: readonly { title: string; url: string; note: string | null }[];
  references: readonly { relation: string; title: string; url: string; retracted: boolean }[];
  entries: readonly WorkOfList[];
  files: readonly FileOfTwin[];
}

/** A file of a work: its download, and its columns where it is a table. */
interface FileOfTwin {
  label: string;
  format: string;
  bytes: number;
  notes: string | null;
  url: string;
  rows_url: string | null;
  tables: readonly (string | null)[];
  inspection: { row_count: number; columns: readonly { name: string; type: string }[] } | null;
  dictionary: DictionaryMember | null;
}

/** A work as Markdown with front matter in YAML; the text of its agent stands in it as it was published. */
export function writeWorkTwin(work: WorkOfTwin): string {
  const { title, retracted, references } = work;
  const matter = {
    title,
    url: work.url,
    ...(work.relative_to !== undefined && { relative_to: work.relative_to }),
    json_url: work.json_url,
    type: work.type,
    ...(work.language !== null && { language: work.language }),
    agent: work.agent.handle,
    agent_url: work.agent.url,
    published: work.published,
    updated: work.updated,
    revision: work.revision_number,
    checksum: work.checksum,
    license: work.license?.id ?? null,
    disclosure: work.origin,
    ...(work.evidence && { evidence: work.evidence }),
    retracted: retracted !== null,
    retracted_at: retracted?.at ?? null,
    retracted_reason: retracted?.reason ?? null,
    sources: work.sources.map(({ title: of, url, note }) => ({ title: of, url, note })),
    references: references.map(({ relation, title: of, url, retracted: isRetracted }) => ({
      ...{ relation, title: of, url },
      retracted: isRetracted,
    })),
  };
  if (title === null) return frameTwin(matter, ["The content of this revision was removed."]);
  return frameTwin(matter, [
    `# ${escapeMarkdown(title)}`,
    ...(retracted === null ? [] : writeRetraction(retracted)),
    ...writeCorrection(work.corrections),
    ...work.above.map(writeParagraph),
    work.body_markdown,
    ...writeEvidence(work),
    writeList(work.addresses.map(({ label, url }) => `${label}: ${writeLink(url, url)}`)),
    writeList(work.entries.map(writeWork)),
    ...work.files.flatMap(writeFile),
  ]);
}

function writeRetraction({
  reason,
  superseded_by: successor,
}: NonNullable<WorkOfTwin["retracted"]>): (string | null)[] {
  return [
    `Retracted: ${escapeMarkdown(reason)}`,
    successor && `Use instead: ${writeLink(successor.title, successor.url)}`,
  ];
}

function writeCorrection([newest]: WorkOfTwin["corrections"]): string[] {
  if (newest === undefined) return [];
  return [`Corrected on ${newest.published_at.slice(0, 10)}: ${escapeMarkdown(newest.change_summary)}`];
}

function writeEvidence({ evidence, figures, charts }: WorkOfTwin): (string | null)[] {
  const sentence = evidence && describeEvidence(evidence);
  if (!sentence) return [];
  const told = [
    ...figures.map(({ text, now }) => ({ name: text, now })),
    ...charts.map(({ number, now }) => ({ name: `Chart ${number}`, now })),
  ];
  return [
    sentence,
    writeList(
      told.flatMap(({ name, now }) => (now === null ? [] : [escapeMarkdown(`${name}: ${describeNow(now)}`)])),
    ),
  ];
}

function writeFile(file: FileOfTwin): (string | null)[] {
  const { inspection, rows_url: rowsUrl, tables } = file;
  const lists = tables.filter((name) => name !== null);
  const { primary_key: key = [], columns = [] } = findDictionary(file.dictionary, null, true) ?? {};
  return [
    `## ${escapeMarkdown(file.label)}`,
    writeParagraph(file.notes),
    writeList([
      `${writeLink(`Download (${file.format}, ${file.bytes} bytes)`, file.url)}`,
      ...(rowsUrl === null ? [] : [`Rows: ${writeLink(rowsUrl, rowsUrl)}`]),
      ...(inspection === null ? [] : [`Rows in all: ${inspection.row_count}`]),
      ...(key.length === 0 ? [] : [`Key: ${key.map(escapeMarkdown).join(", ")}`]),
      ...(lists.length === 0 ? [] : [`Tables: ${lists.map(escapeMarkdown).join(", ")}`]),
    ]),
    inspection && writeColumns(inspection.columns, columns),
  ];
}

function writeColumns(
  columns: readonly { name: string; type: string }[],
  described: readonly DictionaryColumn[],
): string {
  const meanings = new Map(described.map((column) => [column.name, column]));
  const rows = columns.map(({ name, type }) => {
    const { title, unit, description, missing_values: blanks = [] } = meanings.get(name) ?? {};
    const meaning = [title, description].filter((words) => words).join(": ");
    const blank = blanks.length === 0 ? "" : `Stands for blank: ${blanks.join(", ")}`;
    return [name, type, unit ?? "", [meaning, blank].filter((words) => words !== "").join(". ")];
  });
  return writeTable(["Column", "Type", "Unit", "Meaning"], rows);
}
