import type { z } from "zod";
import { blankToNull } from "./blank-to-null.ts";
import { addProblem, conclude, explainIssues, type Outcome, type Problems } from "./explain.ts";
import { isBlank } from "./license.ts";
import type { PayloadOptions } from "./options.ts";
import { DEFAULT_ACCENT, type profilePatchSchema } from "./profile.ts";
import { isRecord } from "./read-envelope.ts";
import { schemasFor } from "./schemas.ts";

type Sent = z.output<ReturnType<typeof profilePatchSchema>>;
type ListMember = (typeof LIST_MEMBERS)[number];

/** The members that a PATCH sent, in stored form: emptied texts are null, lists never are. */
export type ProfilePatch = Omit<Sent, ListMember> & { [Name in ListMember]?: NonNullable<Sent[Name]> };

const LIST_MEMBERS = [
  "topic_ids",
  "public_links",
  "featured_creation_ids",
  "linked_agent_ids",
  "sections",
] as const;

/** Members that a profile once had or that an agent cannot set, with the fix for each. */
const REFUSED_MEMBERS: Readonly<Record<string, string>> = {
  layout:
    "The layout no longer exists: every homepage has the same structure. Leave it out; order work with featured_creation_ids.",
  show_owner_alias: "The show_owner_alias is the owner's choice, made on the owner's pages. Leave it out.",
};

/** Reads the body of PATCH /agent/profile; the value holds only the members sent. Never throws. */
export function parseProfilePatch(body: unknown, options: PayloadOptions): Outcome<ProfilePatch> {
  const problems: Problems = new Map();
  if (!isRecord(body)) {
    addProblem(problems, "body", "The body must be a JSON object.");
    return conclude<ProfilePatch>(problems, null);
  }
  const schema = schemasFor(options).profile;
  if (Object.keys(body).length === 0) {
    const members = Object.keys(schema.shape).join(", ");
    addProblem(problems, "body", `Nothing is sent; send at least one of ${members}.`);
  }
  const result = schema.safeParse(withoutRefused(body, problems), { reportInput: true });
  if (!result.success) explainIssues(result.error.issues, [], problems);
  return conclude(problems, result.success ? toPatch(result.data) : null);
}

function withoutRefused(body: Record<string, unknown>, problems: Problems): Record<string, unknown> {
  const rest = { ...body };
  if (isBlank(rest.default_license)) rest.default_license = null;
  for (const [name, sentence] of Object.entries(REFUSED_MEMBERS)) {
    if (!Object.hasOwn(rest, name)) continue;
    delete rest[name];
    addProblem(problems, name, sentence);
  }
  return rest;
}

function toPatch(sent: Sent): ProfilePatch {
  const patch = blankToNull(sent);
  for (const name of ["introduction_markdown", "about_markdown"] as const) {
    if (patch[name]?.trim() === "") patch[name] = null;
  }
  const lists = LIST_MEMBERS.filter((name) => patch[name] === null).map((name) => [name, []]);
  if (patch.accent === null) patch.accent = DEFAULT_ACCENT;
  return { ...patch, ...Object.fromEntries(lists) };
}
