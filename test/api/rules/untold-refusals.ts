/** Every refusal of a body that the document allows, and why no schema can tell it. */
export const UNTOLD: readonly { code: string; sentence: RegExp; reason: string }[] = [
  {
    code: "enrollment_invalid",
    sentence: /^The enrolment code is not valid\.$/,
    reason: "codes are secrets of owners",
  },
  {
    code: "rate_limited",
    sentence: /^Too many wrong enrolment codes /,
    reason: "it counts earlier requests",
  },
  { code: "quota_exhausted", sentence: /upload addresses are open/, reason: "it counts earlier requests" },
  { code: "not_found", sentence: /^There is no such (?:profile )?revision\.$/, reason: "ids" },
  { code: "already_published", sentence: /^This profile draft /, reason: "what was published before" },
  ...[
    { sentence: /^The kid is not the RFC 7638 thumbprint of this key/, reason: "a hash of another member" },
    { sentence: /^This key is in the list twice; /, reason: "a kid beside it may differ" },
    { sentence: /^The text uses nothing of an open work /, reason: "ids" },
    { sentence: /^You have no key of this kid; /, reason: "what was saved before" },
    { sentence: /^The key (?:\S+|of this kid) was ended[,;] /, reason: "what was saved before" },
    { sentence: /^The handle \S+ is taken; /, reason: "names of others" },
    { sentence: /^There is no such topic\./, reason: "ids" },
    {
      sentence: /^This creation (?:has no published revision|was never published)/,
      reason: "what was published before",
    },
    { sentence: /^There is no such creation of yours, nor /, reason: "ids" },
    { sentence: /^There is no other agent of this id /, reason: "ids" },
    { sentence: /^You have no such (?:creation\.|file; )/, reason: "ids" },
    { sentence: /^The published profile has no section /, reason: "what was published before" },
    { sentence: / holds? (?:TXT or Markdown|CSV and JSON|CSV or JSON) files; /, reason: "files behind ids" },
    { sentence: /^You have a creation with the slug /, reason: "what was saved before" },
    { sentence: /^The (?:slug|type) cannot change; /, reason: "what was saved before" },
    { sentence: / must be a language tag of BCP 47, /, reason: "a list that grows" },
    { sentence: / is (?:no|a deprecated) SPDX identifier; /, reason: "a list that grows" },
    { sentence: /^The display_name is required before /, reason: "what was saved before" },
    { sentence: /^The handle is required\.$/, reason: "some codes fix one" },
    { sentence: / is reserved; /, reason: "a list that grows" },
    { sentence: /^This text does not stand in body_markdown\./, reason: "parts are compared" },
    { sentence: /^The asset_id names no file of yours, nor /, reason: "ids" },
    { sentence: /^The asset_id names a file that is no table: /, reason: "files behind ids" },
    { sentence: /^The revision_id is no revision of this creation\./, reason: "ids" },
    { sentence: /^The superseded_by must be the id of a work that readers can open\./, reason: "ids" },
    {
      sentence: /^Only a grouped result takes having\.|^A grouped result has the columns of group /,
      reason: "two members of a question",
    },
    {
      sentence: /^The maximum must be of the same form as the minimum\./,
      reason: "two members are compared",
    },
    { sentence: / repeats the name of an earlier column; /, reason: "parts of items are compared" },
    {
      sentence: /^Give (?:a value|one value|1 to 100 values): |^Name the column: only count needs none, /,
      reason: "what an operator needs",
    },
    {
      sentence:
        /^The column is (?:grouped|named|sorted by) twice\. |^Another column of the result has this name\. /,
      reason: "parts of items are compared",
    },
    { sentence: /^The value must be a text, or with in a list of texts\.$/, reason: "two members" },
    { sentence: /^The step must be a number above 0, |^Use by for dates or step /, reason: "two members" },
    {
      sentence:
        /^The (?:table|file|result|file .+) has no such column\.|^The row lacks this column\.|^A cell is a text, /,
      reason: "files behind ids",
    },
    { sentence: /^The (?:data say|question finds) /, reason: "files behind ids" },
    {
      sentence: /^An earlier dictionary is of this table; |^The file is one table without a name[;.] /,
      reason: "files behind ids",
    },
    { sentence: /^The content_sha256 is not that of this file, /, reason: "files behind ids" },
    {
      sentence: /; leave the canonical_sha256 out\.$|^The canonical_sha256 is not /,
      reason: "files behind ids",
    },
    { sentence: /^A \S+ file has no dialect; /, reason: "two members are compared" },
    {
      sentence:
        /^(?:With header false|The columns are those of|A quote in a value is|The rows end with row) |^The (?:groupChar|delimiter|commentChar) has to differ |^The (?:headerRows|rows) has to be |^The encoding has to be the name /,
      reason: "two members are compared, or items; encodings are a list of names of any case",
    },
    { sentence: /^The change_summary is required with correction: /, reason: "two members are compared" },
    { sentence: /^No attachment has this label\./, reason: "what was saved before" },
    { sentence: /^No other attachment of this payload has this label\./, reason: "two members are compared" },
    { sentence: /^It (?:does not occur|occurs) /, reason: "what was saved before" },
    { sentence: /^A creation of type \w+ has no body_markdown\.$/, reason: "what was saved before" },
    { sentence: / must not lead to a private or local address\.$/, reason: "a list of networks and names" },
    { sentence: /^A correction is not minor: /, reason: "two members are compared" },
    { sentence: /^The publish_at must lie /, reason: "the time of the request" },
    {
      sentence: /^Send publish or schedule, not both\.$/,
      reason: "described in words: a choice for each type",
    },
    {
      sentence: / repeats an earlier | has the slug of an earlier section; /,
      reason: "parts of items are compared",
    },
    {
      sentence: / is not an address that a browser could open; /,
      reason: "the URL standard has more rules than a pattern",
    },
    { sentence: /^(?:Chart|Flowchart) \d+ \(line |^Line \d+: /, reason: "languages inside a text" },
    {
      sentence: /^The \w+ (?:in changes|beside payload) and the one .* differ; /,
      reason: "parts are compared",
    },
    {
      sentence: /^This member is not known here\. The allowed members are (?:title|body_markdown), /,
      reason: "the type of what was saved before decides what changes.set may hold",
    },
  ].map((line) => ({ code: "validation_failed", ...line })),
];
