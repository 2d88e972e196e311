import { isDeepStrictEqual } from "node:util";
import type { RenderContext } from "../../../shared/datasets/drawings/render-body.ts";
import { getOpenFile } from "../../../shared/datasets/uploads/public-files.ts";
import { addressesOf } from "../../../shared/ground/addresses.ts";
import { workFor } from "../../../shared/platform/concurrency/places.ts";
import { answerFilesQuestion, readFilesQuestion } from "../../../shared/reading/comparisons/compare-files.ts";
import type { PublicDiff, PublicSide } from "../../../shared/reading/comparisons/public-diff.ts";
import { disclosureOf } from "../../../shared/reading/present-marks.ts";
import { readSources } from "../../../shared/reading/public-creation.ts";
import { textOf } from "../../../shared/requests/members.ts";
import { COMPARED_TEXTS } from "../../../shared/requests/work-members.ts";
import { keepNumberText } from "../../../shared/tables/questions/raw-question.ts";
import { nameRelation } from "../parts/words.ts";
import { showCreationCard } from "./artwork.ts";
import type { FirstChanges } from "./changed-rows.ts";
import { type OpenCreation, toRevisionFrame } from "./revision-frame.ts";

/** What changed between two published revisions. */
export type DiffPageView = Awaited<ReturnType<typeof toDiffView>>;

/** A member of the payload that changed; without values where its change cannot be said in words. */
export interface DetailView {
  label: string;
  removed: string[];
  added: string[];
}

/** The view of the page of what changed between two published revisions. */
export async function toDiffView(
  context: RenderContext,
  creation: OpenCreation,
  { data, shown, from, to }: PublicDiff,
) {
  const { deps } = context;
  const addresses = addressesOf(deps.config.siteUrl);
  const { handle, slug } = creation;
  const [before, after] = [data.from.revision_number, data.to.revision_number];
  return {
    ...toRevisionFrame(deps, creation),
    image: await showCreationCard(deps, creation),
    from: { number: before, url: addresses.revision(handle, slug, before) },
    to: { number: after, url: addresses.revision(handle, slug, after) },
    jsonUrl: addresses.diffJson(handle, slug, before, after),
    backwardsUrl: addresses.diff(handle, slug, after, before),
    hasText: data.body !== null,
    linesAdded: data.body?.lines_added ?? 0,
    linesRemoved: data.body?.lines_removed ?? 0,
    hunks: shown,
    details: [
      ...MEMBERS.flatMap((member) => compareMember(member, from, to)),
      ...compareDisclosures(creation.type, from, to),
    ],
    files: await showChanges(context, data.files),
  };
}

/** What is asked about a file for its rows on the page, and of how many files: each is compared for it. */
const ASKED = "limit=20&change[]=added&change[]=removed&change[]=changed";
const FILES_SHOWN = 3;

/** The files of a comparison, the first of them that changed with their first changed rows. */
async function showChanges(context: RenderContext, files: PublicDiff["data"]["files"]) {
  const compared = files.filter(({ diff_url }) => diff_url !== null).slice(0, FILES_SHOWN);
  return await Promise.all(
    files.map(async (file) => ({
      ...file,
      changes: compared.includes(file) ? await findFirstChanges(context, file) : null,
    })),
  );
}

async function findFirstChanges(
  context: RenderContext,
  { from, to }: PublicDiff["data"]["files"][number],
): Promise<FirstChanges | null> {
  const head = await getOpenFile(context.deps, to?.asset_id ?? "");
  const query = new URLSearchParams(`base=${from?.asset_id}&${ASKED}`);
  const asked = await readFilesQuestion(context.deps, head, query, "page");
  // Whoever leaves takes no turn from others who want the same.
  const requester = { key: `diff ${head.asset_id}`, signal: new AbortController().signal };
  const answer = await workFor(requester, () => answerFilesQuestion(context, head, asked));
  // The digits of numbers stay as the file has them.
  return answer.ok ? JSON.parse(Buffer.from(answer.json).toString(), keepNumberText) : null;
}

/** A member of a payload in words: what it is called, and its values as a reader sees them. */
interface Member {
  label: string;
  name: string;
  show(side: PublicSide): (string | null | undefined)[];
}

const MEMBERS: readonly Member[] = [
  ...COMPARED_TEXTS.map(({ name, label }) => ({
    ...{ name, label },
    show: ({ revision }: PublicSide) => [textOf(revision.payload, name)],
  })),
  {
    label: "Rows on the page",
    name: "show_preview",
    show: ({ revision }) => [revision.payload.show_preview === false ? "not shown" : "shown"],
  },
  {
    label: "Sources",
    name: "sources",
    show: ({ revision }) =>
      readSources(revision.payload).map(({ title, url, note }) =>
        [title, url, note].filter(Boolean).join(", "),
      ),
  },
  {
    label: "References",
    name: "references",
    show: ({ references }) =>
      references.map(({ relation, title, note }) =>
        [`${nameRelation(relation, "from")} ${title}`, note].filter(Boolean).join(": "),
      ),
  },
  { label: "In this collection", name: "entries", show: ({ entries }) => entries.map(({ title }) => title) },
  {
    label: "Figures checked against data",
    name: "figures",
    show: ({ revision }) => listOf(revision.payload.figures).map(({ text }) => String(text)),
  },
  {
    label: "Notes of files",
    name: "attachments",
    show: ({ revision }) =>
      listOf(revision.payload.attachments).flatMap(({ label, notes }) =>
        notes ? [`${label}: ${notes}`] : [],
      ),
  },
  { label: "Colours and pattern of the cover", name: "design", show: () => [] },
];

function listOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value : [];
}

/** Nothing where the member is equal. One whose values say no difference, such as their order, has none of them. */
function compareMember({ label, name, show }: Member, from: PublicSide, to: PublicSide): DetailView[] {
  const [before, after] = [from.revision.payload[name], to.revision.payload[name]];
  if (isDeepStrictEqual(before, after)) return [];
  const [shownBefore, shownAfter] = [show(from), show(to)].map((values) =>
    values.filter((value) => value != null),
  );
  const removed = without(shownBefore ?? [], shownAfter ?? []);
  const added = without(shownAfter ?? [], shownBefore ?? []);
  // The files have a section of their own: only their notes are told here.
  if (name === "attachments" && removed.length + added.length === 0) return [];
  return [{ label, removed, added }];
}

function compareDisclosures(type: string, from: PublicSide, to: PublicSide): DetailView[] {
  const [before, after] = [from, to].map(({ revision }) =>
    (disclosureOf(type, { ...revision, owner_reviewed_at: null })?.details ?? []).flatMap(
      ({ label, values }) =>
        values.map((value) => (label === "Origin" || label === "Review" ? value : `${label}: ${value}`)),
    ),
  );
  const removed = without(before ?? [], after ?? []);
  const added = without(after ?? [], before ?? []);
  return removed.length + added.length === 0 ? [] : [{ label: "How it was made", removed, added }];
}

/** The values of a list that another lacks, each as often as it has more of it. */
function without(
  values: readonly (string | null | undefined)[],
  others: readonly (string | null | undefined)[],
): string[] {
  const left = [...others];
  return values.flatMap((value) => {
    const at = left.indexOf(value);
    if (at === -1) return value == null ? [] : [value];
    left.splice(at, 1);
    return [];
  });
}
