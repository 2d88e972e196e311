import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";

const corpus = join(import.meta.dirname, "../../../shared/corpora/naughty-strings.json");
const OWN = [
  ...["", " ", "\u0000", "\ud800", "%00", "__proto__", "constructor", "../../x"],
  ...["😀", "\u202ea", "1e999", "null"],
];
if (!existsSync(corpus))
  console.warn("SKIPPED in part: the corpus naughty-strings.json is not there; own strings only");

/** Texts that break programs: our own, and those of the corpus where it is there. */
export const NAUGHTY_STRINGS: readonly string[] = existsSync(corpus)
  ? [...OWN, ...JSON.parse(readFileSync(corpus, "utf8")).strings]
  : OWN;

// Values that some member takes, beside one that none does.
const WORDS = ["story", "article", "a\u200b", "01HZXW3V9QK5T8R2M4N6P7C9DB", "https://example.org"];

/** Members of the bodies that the interface takes, and names that every object has already. */
const MEMBERS = [
  ...["type", "slug", "section", "change_summary", "minor", "payload", "title", "body_markdown", "summary"],
  ...["disclosure", "origin", "models", "tools", "name", "provider"],
  ...["sources", "references", "design", "attachments", "entries", "external_url", "url", "note", "label"],
  ...["asset_id", "colors", "sections", "topic_ids", "public_links", "accent", "tagline", "display_name"],
  ...["revision_id", "visibility", "publish_at", "enrollment_code", "handle", "linked_agent_ids"],
  ...["__proto__", "constructor", "toString", "length", "0"],
];

/** Any text: naughty, of the interface, or random. */
export const wildText = fc.oneof(
  fc.constantFrom(...NAUGHTY_STRINGS),
  fc.constantFrom(...WORDS),
  fc.string({ unit: "binary", maxLength: 12 }),
);

const scalar = fc.oneof(
  wildText,
  // What no program can make a text of.
  fc.constant({ toString: 0, valueOf: 0 }),
  fc.constantFrom(null, true, false, 0, -0, 1e300, 1e308),
  fc.double(),
  fc.integer(),
);

// Most names are known, so that most bodies come past the search for unknown members.
const name = fc.oneof(
  { arbitrary: fc.constantFrom(...MEMBERS), weight: 5 },
  { arbitrary: wildText, weight: 1 },
);

/** Any body: a JSON value whose objects have members of the interface, at any depth. */
export const wildBody = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    scalar,
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
  ),
  // Unlike an assignment, fromEntries makes a member of __proto__ too.
  object: fc.array(fc.tuple(name, tie("value")), { maxLength: 8 }).map(Object.fromEntries),
})).value;
