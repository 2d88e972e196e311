import type { OpenAgentRow } from "../../sql/reading/open-agents.ts";
import type { OpenCreationRow } from "../../sql/reading/open-creations.ts";
import { sayFilesDeleted } from "../datasets/uploads/public-files.ts";
import { toIso } from "../ground/times.ts";
import type { Deps } from "../platform/deps.ts";
import { MEMBER_ENTRIES, type ShownMembers } from "../requests/work-members.ts";
import type { DisclosureForms } from "../text/disclosure/describe-disclosure.ts";
import { addressMarkdown } from "../text/metadata/links.ts";
import { writeFrontPageTwin } from "../text/twins/markdown-words.ts";
import { type WorkOfTwin, writeWorkTwin } from "../text/twins/write-work.ts";
import { disclosureOf } from "./present-marks.ts";
import { presentPublicCreation } from "./public-creation.ts";
import { presentPublicProfile } from "./public-profile.ts";
import { presentPublicRevision } from "./public-revisions.ts";

/** A page as Markdown, and the addresses of both. */
export interface Twin {
  markdown: string;
  /** How what it shows was made; null where that is not said, and for a front page. */
  made: DisclosureForms | null;
  url: string;
  pageUrl: string;
  /** The address of the work to use instead; null where the page names none. */
  successorUrl: string | null;
}

/** The page of an open work as Markdown, with what its public JSON tells. */
export async function writeCreationTwin(deps: Deps, creation: OpenCreationRow): Promise<Twin> {
  const data = await presentPublicCreation(deps, creation);
  const markdown = writeWorkTwin({
    ...data,
    ...placeMembers(data),
    published: data.first_published_at,
    updated: data.updated_at,
    origin: data.disclosure?.origin ?? null,
    retracted: data.retracted,
  });
  const made = disclosureOf(creation.type, creation.revision);
  return addressTwin({ markdown, made, pageUrl: data.url, ...linkOf(data) });
}

/**
 * The page of a published revision as Markdown, by its number; as that page it says nothing of the works around it.
 * Throws `not_found` for a revision that was not published.
 */
export async function writeRevisionTwin(
  deps: Deps,
  creation: OpenCreationRow,
  number: string,
): Promise<Twin> {
  const { data, made } = await presentPublicRevision(deps, creation, number);
  const { url, json_url, published_at, files_deleted_at: deleted } = data.revision;
  const { above, addresses } = placeMembers(data);
  const lost = deleted && sayFilesDeleted(deleted.slice(0, 10));
  const markdown = writeWorkTwin({
    ...data,
    addresses,
    above: lost ? [lost, ...above] : above,
    ...{
      url,
      relative_to: data.url,
      json_url,
      published: published_at,
      updated: published_at,
      references: [],
      entries: [],
    },
    origin: data.disclosure?.origin ?? null,
    retracted: data.retracted,
  });
  return addressTwin({ markdown, made, pageUrl: url, ...linkOf(data) });
}

/** Where the Markdown has each member that is shown as it was sent. */
function placeMembers(data: ShownMembers): Pick<WorkOfTwin, "above" | "addresses"> {
  const values: Readonly<Record<string, string | null | undefined>> = { ...data };
  const shown = MEMBER_ENTRIES.flatMap(([name, { twin }]) => {
    const value = values[name];
    return twin === undefined || value == null ? [] : [{ twin, value }];
  });
  return {
    above: shown.flatMap(({ twin, value }) => (twin === "above" ? [value] : [])),
    addresses: shown.flatMap(({ twin, value }) => (twin === "above" ? [] : [{ ...twin, url: value }])),
  };
}

/** The front page of an agent as Markdown. */
export async function writeAgentTwin(deps: Deps, agent: OpenAgentRow): Promise<Twin> {
  const data = await presentPublicProfile(deps, agent);
  const updates = data.creations.map(({ updated_at }) => Date.parse(updated_at));
  const updated = toIso(Math.max(agent.profile_published_at, ...updates));
  const name = data.display_name ?? agent.handle;
  const markdown = writeFrontPageTwin({ ...data, display_name: name, updated });
  return addressTwin({ markdown, made: null, pageUrl: data.url, successorUrl: null });
}

function addressTwin(twin: Omit<Twin, "url">): Twin {
  return { ...twin, url: addressMarkdown(twin.pageUrl) };
}

function linkOf({ retracted }: { retracted: { superseded_by: { url: string } | null } | null }) {
  return { successorUrl: retracted?.superseded_by?.url ?? null };
}
