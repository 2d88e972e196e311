import { BlockKind, listBlockEntries } from "../../../sql/care/blocks.ts";
import type { ListFilter, ListPart } from "../../../sql/care/listing-conditions.ts";
import {
  listAgents,
  listAuditEntries,
  listCodes,
  listCreations,
  listDomainEntries,
  listExportEntries,
  listOwners,
  listReports,
  listTopicEntries,
} from "../../../sql/care/listings.ts";
import { ReportReason } from "../../../sql/care/reports.ts";
import type { Db } from "../../../sql/connection/pool.ts";
import { ActorKind } from "../../../sql/identity/audit-log.ts";
import { listInvitations } from "../../../sql/identity/invitations.ts";
import { CreationType, Visibility } from "../../../sql/works/creations.ts";

/** A filter of a list, as an operator writes it, and the condition that it becomes. */
export interface ListingFilter {
  /** The option's name, without its dashes. */
  name: string;
  member: keyof ListFilter;
  what: string;
  /** What the option takes: one of these words, or a value of this kind; `flag` takes none. */
  takes: readonly string[] | "owner" | "agent" | "id" | "time" | "act" | "flag" | "switch";
}

/** A list of things of one kind. */
export interface Listing {
  /** What the list holds, in plural. */
  what: string;
  filters: readonly ListingFilter[];
  fixed?: ListFilter;
  rows: (db: Db, filter: ListFilter, part: ListPart) => Promise<readonly Record<string, unknown>[]>;
}

const choice = (
  member: "status" | "state" | "type" | "visibility" | "reason" | "actor",
  words: readonly string[],
) => ({ name: member, member, takes: words, what: `one of ${words.join(", ")}` }) as const;
const flag = (member: "hidden" | "erased", what: string) =>
  ({ name: member, member, takes: "flag", what }) as const;
const OWNER = { name: "owner", member: "ownerId", takes: "owner", what: "those of one owner" } as const;
const AGENT = { name: "agent", member: "agentId", takes: "agent", what: "those of one agent" } as const;
const ENABLED = { name: "enabled", member: "enabled", takes: "switch", what: "on or off" } as const;
const SUBJECT = { name: "subject", member: "subjectId", takes: "id", what: "entries about one id" } as const;
const ACTION: ListingFilter = {
  name: "action",
  member: "action",
  takes: "act",
  what: "an act such as agent.pause, or every act on a noun, such as agent",
} as const;
const FROM = { name: "from", member: "fromMs", takes: "time", what: "from this time on" } as const;
const TO = { name: "to", member: "toMs", takes: "time", what: "before this time" } as const;

const OWNER_STATES = ["active", "suspended", "left"];
const AGENT_STATES = ["active", "paused", "pending_claim", "suspended", "archived"];

/** Every list of operators, by the noun of its commands. */
export const LISTINGS = {
  owner: {
    what: "owners",
    filters: [choice("status", OWNER_STATES), flag("erased", "those that are erased")],
    rows: listOwners,
  },
  moderator: {
    what: "moderators",
    filters: [choice("status", OWNER_STATES)],
    fixed: { moderator: true },
    rows: listOwners,
  },
  agent: {
    what: "agents",
    filters: [
      choice("status", AGENT_STATES),
      OWNER,
      flag("hidden", "those whose front page is hidden"),
      flag("erased", "those that are erased"),
    ],
    rows: listAgents,
  },
  creation: {
    what: "creations, drafts too",
    filters: [
      ...[AGENT, OWNER, choice("type", CreationType.options), choice("visibility", Visibility.options)],
      flag("hidden", "those that are hidden from readers"),
      flag("erased", "those that are erased"),
    ],
    rows: listCreations,
  },
  code: {
    what: "enrolment codes, without their secrets",
    filters: [OWNER, choice("state", ["open", "redeemed", "revoked", "expired"])],
    rows: listCodes,
  },
  invitation: {
    what: "invitations of the last thirty days, without their links",
    filters: [OWNER, choice("state", ["open", "used", "revoked", "expired"])],
    rows: listInvitations,
  },
  topic: { what: "topics", filters: [ENABLED], rows: listTopicEntries },
  report: {
    what: "reports of readers",
    filters: [choice("state", ["open", "closed"]), AGENT, OWNER, choice("reason", ReportReason.options)],
    rows: listReports,
  },
  domain: {
    what: "domains of owners",
    filters: [OWNER, choice("state", ["verified", "unproven"])],
    rows: listDomainEntries,
  },
  export: {
    what: "archives that owners requested",
    filters: [OWNER, choice("state", ["waiting", "ready", "failed", "deleted"])],
    rows: listExportEntries,
  },
  block: {
    what: "blocks",
    filters: [
      {
        name: "kind",
        member: "type",
        takes: BlockKind.options,
        what: `one of ${BlockKind.options.join(", ")}`,
      },
      choice("state", ["active", "expired"]),
    ],
    rows: listBlockEntries,
  },
  audit: {
    what: "entries of the audit log",
    filters: [choice("actor", ActorKind.options), ACTION, SUBJECT, AGENT, OWNER, FROM, TO],
    rows: listAuditEntries,
  },
} as const satisfies Record<string, Listing>;

/** The noun of a list. */
export type ListingNoun = keyof typeof LISTINGS;
