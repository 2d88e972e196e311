import { setImmediate } from "node:timers/promises";
import type { Db, Tx } from "../../../sql/connection/pool.ts";
import { listFilesOfRevision, listFilesOfRevisions } from "../../../sql/datasets/revision-files.ts";
import { lockAgent } from "../../../sql/identity/agents.ts";
import type { FoundCreationRow } from "../../../sql/reading/found-creations.ts";
import {
  lockLiveRevisionId,
  saveAgentWords,
  saveCreationWords,
  takeSearchMark,
} from "../../../sql/reading/search-words.ts";
import { findProfileById } from "../../../sql/works/profiles.ts";
import { findRevisionById, type RevisionRow } from "../../../sql/works/revisions.ts";
import { readInspection, readTables } from "../../datasets/uploads/public-files.ts";
import { waitWithoutPlace } from "../../platform/concurrency/places.ts";
import type { Deps } from "../../platform/deps.ts";
import { textOf } from "../../requests/members.ts";
import { licenseOf } from "../../requests/payloads.ts";
import { type Profile, readProfile } from "../../requests/profile.ts";
import { MEMBER_ENTRIES } from "../../requests/work-members.ts";
import { parseMarkdown } from "../../text/markdown/parse.ts";
import { plainTextOfMarkdown } from "../../text/markdown/plain-text.ts";
import { cutStart, findExcerpt, type Line } from "../../text/search/excerpt.ts";
import { listLexemes, type QueryTerms } from "../../text/search/lexemes.ts";

/**
 * Writes the search words of an agent whose profile goes live; topics are found by id, so their labels may
 * change.
 */
export async function writeAgentSearchText(
  tx: Tx,
  agent: { id: string; handle: string },
  profile: Profile,
): Promise<void> {
  const words = listLexemes({
    title: `${profile.display_name ?? ""}\n${agent.handle}`,
    summary: profile.tagline ?? "",
    others: `${toPlainText(profile.introduction_markdown)}\n${toPlainText(profile.about_markdown)}`,
    topicIds: profile.topic_ids,
  });
  await saveAgentWords(tx, agent.id, words);
}

/** The words of Markdown without its marks; empty for any other value. */
export function toPlainText(markdown: unknown): string {
  return typeof markdown === "string" ? plainTextOfMarkdown(parseMarkdown(markdown)) : "";
}

/** Writes the search words of a publication, in its transaction (contract section 7 row 44). */
export async function writeSearchText(
  tx: Tx,
  deps: Deps,
  creationId: string,
  revision: RevisionRow,
): Promise<void> {
  const payload = revision.payload ?? {};
  const files = "attachments" in payload ? await listFilesOfRevision(tx, revision.id) : [];
  const columns = files.flatMap((file) => columnsOf(file.inspection, file.tables));
  const names = [...files.map(({ label }) => label), ...columns];
  const { title } = revision;
  const searched = (place: "summary" | "text") =>
    MEMBER_ENTRIES.flatMap(([name, member]) =>
      member.searched === place ? (textOf(payload, name) ?? []) : [],
    );
  const summary = searched("summary").join("\n");
  const markdown = textOf(payload, "body_markdown") ?? "";
  const others = [...searched("text"), ...names];
  const { words, folded } = await deps.texts.index({ title, summary, markdown, others, columns });
  const hasSources = Array.isArray(payload.sources) && payload.sources.length > 0;
  const license = licenseOf(payload)?.id ?? null;
  const hasData = columns.length > 0;
  await saveCreationWords(tx, creationId, { words, folded, hasSources, hasData, license });
}

/** The names of all columns of a file: of its table, or of the record lists in a JSON document. */
export function columnsOf(inspection: string | null, tables: string | null): string[] {
  const found = readInspection({ inspection });
  const own = found?.kind === "table" ? found.columns : [];
  const listed = readTables(tables).flatMap((table) => table.columns);
  return [...own, ...listed].map((column) => column.name);
}

/** Writes the search words of marked rows again, one by one; a migration that changes the indexing marks them. */
export async function sweepSearchMarks(deps: Deps): Promise<number> {
  let count = 0;
  while (await deps.pool.transaction((tx) => rewriteNext(tx, deps))) count++;
  return count;
}

async function rewriteNext(tx: Tx, deps: Deps): Promise<boolean> {
  const id = await takeSearchMark(tx);
  if (id !== null) await rewriteSearchText(tx, deps, id);
  return id !== null;
}

async function rewriteSearchText(tx: Tx, deps: Deps, id: string): Promise<void> {
  const revisionId = await lockLiveRevisionId(tx, id);
  const revision = revisionId === null ? null : await findRevisionById(tx, revisionId);
  if (revision !== null) {
    return await writeSearchText(tx, deps, id, revision);
  }
  const agent = await lockAgent(tx, id);
  const live = agent?.live_profile_id == null ? null : await findProfileById(tx, agent.live_profile_id);
  if (!agent || !live || agent.owner_status === "left") return;
  await writeAgentSearchText(tx, agent, readProfile(live.profile));
}

/** The matched place of each hit, in their order; where the words stand elsewhere or are none, how the work begins. */
export async function listExcerpts(
  db: Db,
  terms: QueryTerms,
  rows: readonly FoundCreationRow[],
): Promise<(string | null)[]> {
  const names = await listNames(db, rows);
  const excerpts: (string | null)[] = [];
  let read = 0;
  for (const row of rows) {
    const body = listLines(row.opening ?? "");
    const others = [row.summary ?? "", ...(names.get(row.revision_id) ?? []), row.title];
    const found = findExcerpt([...body, ...others.map((text) => ({ text }))], terms);
    excerpts.push(found ?? cutStart(row.summary === null ? body.slice(0, 1) : [{ text: row.summary }]));
    read += row.opening?.length ?? 0;
    if (read < READ_AT_ONCE_CHARACTERS) continue;
    await waitWithoutPlace(() => setImmediate());
    read = 0;
  }
  return excerpts;
}

/** Others have their turn behind so many: 20,000 characters of Chinese take 15 ms, and a page has twenty works. */
const READ_AT_ONCE_CHARACTERS = 10_000;
/** The parts of a line that are looked at and parsed by themselves: the densest takes a millisecond. */
const PIECE = /.{1,500}(?![^\s])|.{1,500}/gsu;

/** The lines of a Markdown text that are no part of a fence: drawings are not searched. */
function listLines(markdown: string): Line[] {
  let isInside = false;
  return markdown.split("\n").flatMap((text) => {
    const isFence = /^ {0,3}(?:```|~~~)/.test(text);
    if (isFence) isInside = !isInside;
    if (isFence || isInside || text.trim() === "") return [];
    return (text.match(PIECE) ?? []).map((piece, at, { length }) => {
      const [before, after] = [at === 0 ? "" : "…", at === length - 1 ? "" : "…"];
      return { text: `${before}${piece.trim()}${after}`, toText: toPlainText };
    });
  });
}

/** No excerpt is looked for behind these: a table may have thousands of columns. */
const NAMES_CHARACTERS = 5_000;

/** The labels and column names of the files of hits that have files, by revision. */
async function listNames(db: Db, rows: readonly FoundCreationRow[]): Promise<Map<string, string[]>> {
  const withFiles = rows.filter(({ type }) => type === "dataset" || type === "file");
  const names = new Map<string, string[]>();
  const ids = withFiles.map((row) => row.revision_id);
  for (const { revision_id, label, inspection, tables } of await listFilesOfRevisions(db, ids)) {
    const known = names.get(revision_id) ?? [];
    if (known.join().length > NAMES_CHARACTERS) continue;
    const columns = columnsOf(inspection, tables).join(", ").slice(0, NAMES_CHARACTERS);
    names.set(revision_id, [...known, label, columns]);
  }
  return names;
}
