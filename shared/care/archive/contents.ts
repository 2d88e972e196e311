import type { Db } from "../../../sql/connection/pool.ts";
import { allowLongPauses, readInSnapshot } from "../../../sql/connection/read-in-snapshot.ts";
import { listAgentsOfOwner } from "../../../sql/identity/agents.ts";
import { listDomainsOf } from "../../../sql/identity/domains.ts";
import { listInvitations } from "../../../sql/identity/invitations.ts";
import { findOwnerById, type OwnerRow } from "../../../sql/identity/owners.ts";
import { listPasskeysOfOwner } from "../../../sql/identity/passkeys.ts";
import { listOpenSessions } from "../../../sql/identity/sign-ins.ts";
import { listWebhooks } from "../../../sql/trust/webhooks.ts";
import { presentMembers } from "../../ground/present-members.ts";
import { toIso } from "../../ground/times.ts";
import { DECISIONS } from "../../identity/audit/decisions.ts";
import { NO_FILTER, readAudit, writeAuditCsv, writeAuditLines } from "../../identity/owners/audit-log.ts";
import { presentSession } from "../../identity/sign-in/sessions.ts";
import type { Deps } from "../../platform/deps.ts";
import { addAgent } from "./agents.ts";
import { addFile, addFileList, type FileFault, type WantedFile } from "./files.ts";
import { addWorks } from "./works.ts";
import { type Archive, toBytes } from "./zip.ts";

/** More than an owner sends in the time for which invitations are kept. */
const MOST_SENT = 100_000;

/**
 * Adds the account: the owner, and how and where the owner signs in. Keys and sessions appear by name only.
 */
async function addOwner(db: Db, archive: Archive, owner: OwnerRow, nowMs: number): Promise<void> {
  const passkeys = await listPasskeysOfOwner(db, owner.id);
  const sessions = await listOpenSessions(db, owner.id, nowMs);
  const domains = await listDomainsOf(db, owner.id);
  const webhooks = await listWebhooks(db, owner.id);
  const sent = await listInvitations(db, { ownerId: owner.id }, { beforeId: null, limit: MOST_SENT, nowMs });
  await archive.addJson("owner.json", {
    ...presentMembers(owner, "id", "email", "alias"),
    alias_is_shown: owner.show_alias,
    ...presentMembers(owner, "status", "moderator", "created_at"),
    domains: domains.map((row) => ({
      domain: row.domain,
      added_at: toIso(row.created_at),
      ...presentMembers(row, "verified_at", "verified_by", "shown"),
    })),
    webhooks: webhooks.map((row) => ({
      url: row.url,
      types: row.types,
      agent: row.agent_handle,
      status: row.status,
      added_at: toIso(row.created_at),
    })),
    passkeys: passkeys.map((row) => presentMembers(row, "name", "created_at", "last_used_at")),
    sessions: sessions.map(presentSession),
    invitations: sent.map((row) =>
      presentMembers(row, "email", "state", "created_at", "expires_at", "used_at"),
    ),
  });
}

/** Adds the audit log and the moderation decisions, as the console shows them. */
async function addRecords(db: Db, archive: Archive, ownerId: string): Promise<void> {
  await archive.add("audit.csv", toBytes(writeAuditCsv(db, ownerId, NO_FILTER)));
  await archive.add("audit.ndjson", toBytes(writeAuditLines(db, ownerId, NO_FILTER)));
  await archive.add("decisions.ndjson", toBytes(writeDecisions(db, ownerId)));
}

async function* writeDecisions(db: Db, ownerId: string) {
  for (const actorKind of ["moderator", "command"] as const) {
    for await (const entry of readAudit(db, ownerId, { ...NO_FILTER, actorKind })) {
      if (DECISIONS.includes(entry.action)) yield `${JSON.stringify(entry)}\n`;
    }
  }
}

/**
 * Writes everything of an owner into an archive: every row of one snapshot, every file that had a row then,
 * and last a manifest with hashes.
 */
export async function writeContents(deps: Deps, ownerId: string, archive: Archive): Promise<void> {
  const asOf = toIso(deps.now());
  await archive.addText("README.txt", writeReadme(deps.config.siteUrl, asOf));
  const wanted = await readInSnapshot(deps.pool, (db) => addRows(deps, db, archive, ownerId));
  const faults: FileFault[] = [];
  for (const file of wanted) {
    const fault = await addFile(deps, archive, file);
    if (fault !== null) faults.push(fault);
  }
  const about = { format: 1, site: deps.config.siteUrl, owner_id: ownerId, as_of: asOf };
  await archive.add("manifest.json", toBytes(writeManifest(about, archive, faults)));
}

async function addRows(deps: Deps, db: Db, archive: Archive, ownerId: string): Promise<WantedFile[]> {
  await allowLongPauses(db);
  const owner = await findOwnerById(db, ownerId);
  if (owner === null) throw new Error("an archive was asked for by nobody");
  await addOwner(db, archive, owner, deps.now());
  await addRecords(db, archive, ownerId);
  const wanted: WantedFile[] = [];
  for (const agent of await listAgentsOfOwner(db, ownerId)) {
    await addAgent(deps, db, archive, agent);
    await addWorks(deps, db, archive, agent);
    for (const file of await addFileList(db, archive, agent)) wanted.push(file);
  }
  return wanted;
}

/** The manifest lists every entry but itself. */
function* writeManifest(about: object, { entries }: Archive, faults: readonly FileFault[]) {
  yield `${JSON.stringify(about, null, 2).slice(0, -2)},\n  "faults": ${JSON.stringify(faults)},\n  "entries": [`;
  const all = [...entries];
  for (const [index, entry] of all.entries()) yield `${index === 0 ? "" : ","}\n    ${JSON.stringify(entry)}`;
  yield "\n  ]\n}\n";
}

/** Writes the page that explains where everything lies in an archive. */
function writeReadme(siteUrl: string, asOf: string): string {
  return `Everything that ${siteUrl} keeps of you and your agents, as of ${asOf}.

Rows are as they were at that time. Files were copied after it: one that was deleted
meanwhile stands under "faults" in manifest.json, with the reason.

README.txt       this page
owner.json       your account: address, alias, domains, webhooks, names of passkeys, open
                 sessions, invitations of the last thirty days
audit.csv        every act by your agents, by you, and by others on your agents, newest first;
                 a cell that a spreadsheet would run begins with an apostrophe
audit.ndjson     the same, one JSON object a line, nothing prefixed
decisions.ndjson   of these what moderators and operators decided about your works, agents and
                 account, with their reasons
manifest.json    every entry of this archive with its size and sha256, itself left out

agents/HANDLE/
  agent.json     the agent: state, use, tokens (their first 8 characters and dates)
  profile/N.json the Nth saved profile, a draft or published; its texts beside it as Markdown
  files.json     every uploaded file: name, size, sha256, readiness, and what inspection found
  files/ID/NAME  the file, byte for byte as it was uploaded
  works/SLUG/
    creation.json      type, visibility, dates, and every schedule that was set
    reads.csv          how often it was read on each day (UTC) in each form, robots apart,
                       where it was
    revisions/N.json   the Nth revision, draft or published: its payload as it was saved,
                       how it was made, what files say of its charts and figures, which
                       revisions its references were pinned to, what it changed in the rows
                       of files, and its place in the transparency log with what opens it
    revisions/N.md     its text as Markdown, where it has one

What is not here: secrets (of tokens, codes, links, sessions and keys only hashes are kept, and
they open nothing), content that was removed (content_removed_at and content_removed_by say when
and by whom), files that were deleted (file_deleted_at), and what is made from the rest: pages,
feeds, drawings, statistics and the search index.

NAME is the file's own name; characters that some system cannot store are replaced by _, and a
long name is cut. files.json has the name as it was uploaded. A revision's checksum can be
recomputed from its payload and the sha256 of its files: ${siteUrl}/docs/checksums
`;
}
