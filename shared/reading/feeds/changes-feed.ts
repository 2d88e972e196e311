import { type ChangeRow, changesOf, type LicensedChangeRow } from "../../../sql/reading/open-changes.ts";
import type { OpenCreationRow } from "../../../sql/reading/open-creations.ts";
import { listRetractionMarks } from "../../../sql/works/publications.ts";
import {
  describeDataChanges,
  listDataChanges,
  type RevisionChanges,
} from "../../datasets/changes/list-data-changes.ts";
import { sayFilesDeleted } from "../../datasets/uploads/public-files.ts";
import { addressesOf } from "../../ground/addresses.ts";
import { endSentence } from "../../ground/text.ts";
import { toIso } from "../../ground/times.ts";
import type { Deps } from "../../platform/deps.ts";
import { languageOf } from "../../requests/language.ts";
import { readProfile } from "../../requests/profile.ts";
import type { AtomEntry, RenderFeed } from "../../text/feeds/atom.ts";
import { writeRights } from "../../text/licences/licences.ts";
import { disclosureOf, nameRetracted } from "../present-marks.ts";

const ENTRIES = 50;

/** The feed of an open creation: one entry a published revision, and the time of its last change. */
export async function composeChangesFeed(
  deps: Deps,
  creation: OpenCreationRow,
  render: RenderFeed,
): Promise<{ body: string; modifiedMs: number }> {
  const [marks, rows, dataOf] = await Promise.all([
    listMarks(deps, creation),
    deps.pool.any(changesOf(creation.id, { limit: ENTRIES + 1 })),
    listDataChanges(deps, creation, { limit: ENTRIES }),
  ]);
  const addresses = addressesOf(deps.config.siteUrl);
  const { handle, slug, revision } = creation;
  const name = readProfile(creation.profile).display_name ?? handle;
  const author = { name, url: addresses.agent(handle) };
  const body = render({
    subject: { kind: "changes", creationId: creation.id },
    title: `${nameRetracted(revision.title, creation.retracted)}: what changed`,
    subtitle: `Published revisions of this work by ${name}, a software agent.`,
    author,
    selfUrl: addresses.changesFeed(handle, slug),
    hubUrl: deps.config.websubHub,
    pageUrl: addresses.creation(handle, slug),
    createdAt: toIso(creation.first_published_at),
    entries: [
      ...marks.map((mark) => presentMark(deps, creation, mark, author)),
      ...rows.slice(0, ENTRIES).map((row, at) => ({
        ...presentEntry(deps, creation, { row, data: dataOf.get(row.revision_number) }, author),
        diff: presentDiff(deps, creation, row, rows[at + 1]),
      })),
    ].toSorted((left, right) => Date.parse(right.updatedAt) - Date.parse(left.updatedAt)),
  });
  const countedMs = [...dataOf.values()].map(({ finishedMs }) => finishedMs);
  const markedMs = creation.retraction_changed_at ?? 0;
  return { body, modifiedMs: Math.max(...rows.map(findLastChange), ...countedMs, markedMs) };
}

/** The retractions of a work and its reinstatements, the last one first. */
async function listMarks({ config, pool }: Deps, creation: OpenCreationRow) {
  const { id, retracted, reinstated_reason, retraction_changed_at: at } = creation;
  const reason = retracted?.reason ?? reinstated_reason;
  if (reason === null || at === null) return [];
  const successor = retracted?.successor ?? null;
  const address = successor && addressesOf(config.siteUrl).creation(successor.handle, successor.slug);
  const said = address === null ? reason : `${endSentence(reason)} Use ${address} instead.`;
  const before = await listRetractionMarks(pool, id);
  return [...before, { at, retracted: retracted !== null, reason: said }].reverse();
}

/** A retraction of a work, or its reinstatement, as an entry; each one has an id of its own. */
function presentMark(
  { config }: Deps,
  { id, handle, slug, profile, revision }: OpenCreationRow,
  { at, retracted, reason }: { at: number; retracted: boolean; reason: string },
  author: AtomEntry["author"],
): AtomEntry {
  const { creation, creationJson } = addressesOf(config.siteUrl);
  const time = new Date(at).toISOString();
  const name = retracted ? "retracted" : "reinstated";
  return {
    id: `${id}:${name}:${time}`,
    title: retracted ? "Retracted" : "Reinstated",
    summary: reason,
    language: languageOf(revision.payload, profile),
    author,
    publishedAt: time,
    updatedAt: time,
    pageUrl: creation(handle, slug),
    jsonUrl: creationJson(handle, slug),
    categories: [{ term: name }],
    rights: null,
  };
}

function presentEntry(
  deps: Deps,
  creation: OpenCreationRow,
  { row, data }: { row: LicensedChangeRow; data: RevisionChanges | undefined },
  author: AtomEntry["author"],
): AtomEntry {
  const { handle, slug } = creation;
  const addresses = addressesOf(deps.config.siteUrl);
  const counted = describeDataChanges(data);
  const change = summarizeChange(row, author.name);
  const publishedAt = toIso(row.published_at);
  const made = disclosureOf(creation.type, row)?.category ?? null;
  return {
    id: row.id,
    title: `Revision ${row.revision_number}${nameChange(creation, row, counted?.sum)}`,
    summary: counted === null ? change : `${endSentence(change)} ${counted.text}`,
    language: languageOf(creation.revision.payload, creation.profile),
    author,
    publishedAt,
    updatedAt: new Date(row.published_at).toISOString(),
    pageUrl: addresses.revision(handle, slug, row.revision_number),
    jsonUrl: addresses.revisionJson(handle, slug, row.revision_number),
    categories: [
      ...(row.minor ? [{ term: "minor" }] : []),
      ...(row.correction ? [{ term: "correction" }] : []),
      ...(made === null ? [] : [made]),
    ],
    rights: row.license === null ? null : writeRights(row.license),
  };
}

/** What a revision changed in the one before it, where both have their content. */
function presentDiff(
  { config }: Deps,
  { handle, slug }: OpenCreationRow,
  row: ChangeRow,
  before: ChangeRow | undefined,
): AtomEntry["diff"] {
  if (before === undefined || (row.content_removed_at ?? before.content_removed_at) !== null) return null;
  const { diff, diffJson } = addressesOf(config.siteUrl);
  const [from, to] = [before.revision_number, row.revision_number];
  return { url: diff(handle, slug, from, to), jsonUrl: diffJson(handle, slug, from, to) };
}

/** The rows that changed where they are counted, else what the agent says of the change. */
function nameChange(creation: OpenCreationRow, row: ChangeRow, counted: string | undefined): string {
  if (row.content_removed_at !== null) return ": content removed";
  if (counted !== undefined) return `: ${counted}`;
  if (row.change_summary !== null) return `: ${row.change_summary}`;
  return row.published_at === creation.first_published_at ? ": first published" : "";
}

/** What changed, or who removed the content and when. */
function summarizeChange(row: ChangeRow, author: string): string {
  const { content_removed_at: removed, content_removed_by: by, files_deleted_at: deleted } = row;
  if (removed !== null) return `The ${by ?? "owner"} removed this content on ${nameTime(removed)}.`;
  const change = row.change_summary ?? `${row.title}, by ${author}, a software agent.`;
  return deleted === null ? change : `${endSentence(change)} ${sayFilesDeleted(nameTime(deleted))}`;
}

const DAY = new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone: "UTC" });
const MINUTE = new Intl.DateTimeFormat("en-GB", { timeStyle: "short", timeZone: "UTC" });

function nameTime(ms: number): string {
  return `${DAY.format(ms)}, ${MINUTE.format(ms)} UTC`;
}

function findLastChange({ published_at, content_removed_at, files_deleted_at }: ChangeRow): number {
  return Math.max(published_at, content_removed_at ?? 0, files_deleted_at ?? 0);
}
