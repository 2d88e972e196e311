import type { FileRow } from "../../sql/datasets/revision-files.ts";
import {
  type AroundPageRow,
  type AroundRow,
  readAroundCreation,
  readAroundPage,
} from "../../sql/reading/around-creation.ts";
import type { CorrectionRow } from "../../sql/reading/corrections.ts";
import type { ChangeRow } from "../../sql/reading/open-changes.ts";
import { findOpenCreation, type OpenCreationRow } from "../../sql/reading/open-creations.ts";
import { groupDataChanges, presentDataChanges } from "../datasets/changes/list-data-changes.ts";
import type { Artwork } from "../datasets/drawings/artwork-recipes.ts";
import { keepMissing } from "../datasets/drawings/artworks.ts";
import { describeFile, describeFiles } from "../datasets/uploads/describe-files.ts";
import { listShownFiles, type OpenFile, presentFile } from "../datasets/uploads/public-files.ts";
import { addressesOf } from "../ground/addresses.ts";
import { getById, notFound, refuse } from "../ground/errors.ts";
import { presentMembers } from "../ground/present-members.ts";
import { toIso } from "../ground/times.ts";
import type { Deps } from "../platform/deps.ts";
import type { Threads } from "../platform/threads/open.ts";
import { isHandle } from "../requests/ids.ts";
import { languageOf } from "../requests/language.ts";
import { textOf } from "../requests/members.ts";
import { licenseOf } from "../requests/payloads.ts";
import { readProfile } from "../requests/profile.ts";
import { isCreationSlug } from "../requests/slugs.ts";
import { mapShown, type ShownMembers } from "../requests/work-members.ts";
import { STATS_VERSION } from "../tables/statistics/measure-table.ts";
import { presentLog } from "../trust/transparency-log/read-log.ts";
import { presentCharts, presentEvidence, presentFigures } from "./charts/bound-data.ts";
import { presentFreshness } from "./freshness.ts";
import { disclosureOf, presentRetraction } from "./present-marks.ts";
import { presentSection } from "./public-profile.ts";
import { presentReference, presentRelated } from "./relations.ts";

/** A creation that readers may open now; throws `not_found` for a private, hidden or unknown one. */
export async function getOpenCreation(deps: Deps, handle: string, slug: string): Promise<OpenCreationRow> {
  const wellFormed = isHandle(handle) && isCreationSlug(slug);
  const creation = wellFormed ? await findOpenCreation(deps.pool, { handle, slug }) : null;
  if (creation === null) throw notFound("published creation");
  return creation;
}

/** The same by the creation's id, under whatever address it has. */
export async function getOpenCreationById(deps: Deps, id: string): Promise<OpenCreationRow> {
  return await getById("published creation", id, (ulid) => findOpenCreation(deps.pool, { id: ulid }));
}

/**
 * The public creation JSON, `data.version` 3 (contract section 5 O); pages and tools show the same content. `number` is
 * that of the revision under whose address the files of charts are; null for the live one.
 */
export async function presentPublicCreation(
  deps: Deps,
  creation: OpenCreationRow,
  number: number | null = null,
) {
  return await presentAround(deps, creation, await readAroundCreation(deps.pool, creation), number);
}

/** The same with what is around the creation, which is read already. */
export async function presentAround(
  deps: Deps,
  creation: OpenCreationRow,
  around: AroundRow,
  number: number | null = null,
) {
  const { id, payload } = creation.revision;
  const dataOf = groupDataChanges(deps, around.data_changes);
  return {
    ...presentHead(deps, creation),
    changes: around.changes.map((change) => ({
      ...presentChange(deps, creation, change),
      data_changes: presentDataChanges(dataOf.get(change.revision_number)),
    })),
    corrections: around.corrections.map((row) => presentCorrection(deps, creation, row)),
    files: around.files.map((file, at) => ({
      ...presentFile(deps, file),
      latest_url: number === null ? addressLatest(deps, creation, file, at) : null,
    })),
    entries: around.entries.map((row) => presentRelated(deps, row)),
    references: around.references.map((row) => presentReference(deps, row)),
    cited_by: around.cited_by.map((row) => presentReference(deps, row, creation)),
    in_collections: around.collections.map((row) => presentRelated(deps, row)),
    charts: await presentCharts(deps, creation, { id, payload, number }, around.charts),
    figures: presentFigures(deps, around.figures, number === null),
    evidence: number === null ? await presentEvidence(deps, creation, around) : null,
    changes_feed_url: addressesOf(deps.config.siteUrl).changesFeed(creation.handle, creation.slug),
    license: licenseOf(payload),
    language: languageOf(payload, creation.profile),
    // A revision of the past is as fresh as it ever was.
    freshness: number === null ? presentFreshness(payload, creation, deps.now()) : null,
    disclosure: disclosureOf(creation.type, creation.revision)?.json ?? null,
    log: presentLog(deps, creation, creation.revision),
    signature: creation.revision.signature,
  };
}

/** The address of the newest bytes of a data file at a place of a work's live revision; null of a text. */
export function addressLatest(
  { config }: Deps,
  { handle, slug }: Pick<OpenCreationRow, "handle" | "slug">,
  { format }: Pick<FileRow, "format">,
  at: number,
): string | null {
  const { latestFile } = addressesOf(config.siteUrl);
  return format === "csv" || format === "json" || format === "jsonl"
    ? latestFile(handle, slug, at + 1, format)
    : null;
}

/**
 * What is around a creation on its page, of which its public JSON comes too. Keeps the pictures that the page names,
 * where they are not kept yet.
 */
export async function readPageRows(
  deps: Deps,
  creation: OpenCreationRow,
  pictures: readonly Artwork[],
): Promise<AroundPageRow> {
  const rows = await readAroundPage(deps.pool, creation, {
    statsVersion: STATS_VERSION,
    topicIds: readProfile(creation.profile).topic_ids,
    artworks: pictures.map(({ hash }) => hash),
  });
  const kept = rows.artworks.map(({ hash }) => hash);
  await keepMissing(deps, pictures, kept);
  return rows;
}

function presentHead(deps: Deps, creation: OpenCreationRow) {
  const addresses = addressesOf(deps.config.siteUrl);
  const { handle, slug, revision } = creation;
  const profile = readProfile(creation.profile);
  const section = profile.sections.find((entry) => entry.slug === revision.section);
  return {
    version: 3,
    id: creation.id,
    agent: {
      id: creation.agent_id,
      handle,
      display_name: profile.display_name,
      url: addresses.agent(handle),
      profile_url: addresses.profileJson(handle),
    },
    slug,
    type: creation.type,
    visibility: creation.visibility,
    retracted: presentRetraction(deps, creation.retracted),
    url: addresses.creation(handle, slug),
    json_url: addresses.creationJson(handle, slug),
    title: revision.title,
    ...showMembers(revision.payload),
    revision_number: revision.revision_number,
    checksum: revision.checksum,
    first_published_at: toIso(creation.first_published_at),
    updated_at: toIso(creation.updated_at),
    section: section ? presentSection(deps, handle, section) : null,
    feed_url: addresses.agentFeed(handle),
    revisions_url: addresses.revisions(handle, slug),
    revisions_json_url: addresses.revisionsJson(handle, slug),
  };
}

/** The members of a payload that readers are shown as they were sent, and its sources. */
export function showMembers(payload: Record<string, unknown>) {
  const show = (name: string) => textOf(payload, name);
  const sources = readSources(payload);
  return { ...mapShown("text", show), sources, ...mapShown("address", show) } as ShownMembers & {
    sources: typeof sources;
  };
}

/** One published revision as an entry of What changed. */
export function presentChange(
  deps: Deps,
  creation: Pick<OpenCreationRow, "handle" | "slug">,
  change: ChangeRow,
) {
  const { handle, slug } = creation;
  const addresses = addressesOf(deps.config.siteUrl);
  return {
    ...presentMembers(change, "revision_number", "published_at", "change_summary", "minor", "correction"),
    content_removed: change.content_removed_at !== null,
    content_removed_by: change.content_removed_by,
    url: addresses.revision(handle, slug, change.revision_number),
    json_url: addresses.revisionJson(handle, slug, change.revision_number),
    log: presentLog(deps, creation, change),
    signature: change.signature,
  };
}

/** A correction of a work, as its public JSON has it. */
export function presentCorrection(
  { config }: Deps,
  { handle, slug }: Pick<OpenCreationRow, "handle" | "slug">,
  { revision_number, published_at, change_summary }: CorrectionRow,
) {
  const url = addressesOf(config.siteUrl).revision(handle, slug, revision_number);
  return { revision_number, published_at: toIso(published_at), change_summary, url };
}

/** The sources of a payload, in the agent's order. */
export function readSources(payload: Record<string, unknown>) {
  return (payload.sources ?? []) as { title: string; url: string; note: string | null }[];
}

/** Describes a file that readers may fetch, with licence and freshness of the work that has it, as JSON text. */
export async function describeOpenFile(deps: Deps, threads: Threads, file: OpenFile, mostBytes: number) {
  const [id = ""] = file.creation_ids;
  const work = await findOpenCreation(deps.pool, { id });
  const payload = work?.revision.payload ?? {};
  const freshness = work && presentFreshness(payload, work, deps.now());
  const ofWork = { license: licenseOf(payload), freshness };
  return await describeFile(deps, threads, file, { ofWork, mostBytes });
}

/** Describes the files of an open creation within a number of bytes, as JSON text; one of a type without files is refused. */
export async function describeCreation(
  deps: Deps,
  threads: Threads,
  creation: OpenCreationRow,
  mostBytes: number,
): Promise<string> {
  const { id, type, handle, slug, revision } = creation;
  const { title, revision_number, payload } = revision;
  if (payload.attachments === undefined) {
    const way =
      "read_creation reads it; its references, figures, charts and entries name the datasets behind it.";
    throw refuse("not_tabular", `A creation of type ${type} has no tables.`, way);
  }
  const url = addressesOf(deps.config.siteUrl).creation(handle, slug);
  const facts = {
    ...{ id, type, title, url, revision_number, updated_at: toIso(creation.updated_at) },
    license: licenseOf(payload),
    freshness: presentFreshness(payload, creation, deps.now()),
  };
  return await describeFiles(deps, threads, facts, await listShownFiles(deps, revision), mostBytes);
}
