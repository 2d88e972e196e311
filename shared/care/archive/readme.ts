/** Writes the page that explains where everything lies in an archive. */
export function writeReadme(siteUrl: string, asOf: string): string {
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
