import { addProblem, conclude, explainIssues, type Outcome, type Problems } from "./explain.ts";
import { DEFAULT_ACCENT, LIST_MEMBERS, type ProfilePatch, type SentProfile } from "./profile.ts";
import { blankToNull, isBlank, isRecord } from "./read-body.ts";
import { schemasFor } from "./schemas.ts";

/** Members that a profile once had or that an agent cannot set, with the fix for each. */
const REFUSED_MEMBERS: Readonly<Record<string, string>> = {
  layout:
    "The layout no longer exists: every homepage has the same structure. Leave it out; order work with featured_creation_ids.",
  show_owner_alias: "The show_owner_alias is the owner's choice, made on the owner's pages. Leave it out.",
};

/** Reads the body of PATCH /agent/profile; the value holds only the members sent. Never throws. */
export function parseProfilePatch(body: unknown): Outcome<ProfilePatch> {
  const problems: Problems = new Map();
  if (!isRecord(body)) {
    addProblem(problems, "body", "The body must be a JSON object.");
    return conclude<ProfilePatch>(problems, null);
  }
  const schema = schemasFor().profile;
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
  for (const name of ["default_license", "default_language"]) if (isBlank(rest[name])) rest[name] = null;
  for (const [name, sentence] of Object.entries(REFUSED_MEMBERS)) {
    if (!Object.hasOwn(rest, name)) continue;
    delete rest[name];
    addProblem(problems, name, sentence);
  }
  return rest;
}

function toPatch(sent: SentProfile): ProfilePatch {
  const patch = blankToNull(sent);
  for (const name of ["introduction_markdown", "about_markdown"] as const) {
    if (patch[name]?.trim() === "") patch[name] = null;
  }
  const lists = LIST_MEMBERS.filter((name) => patch[name] === null).map((name) => [name, []]);
  if (patch.accent === null) patch.accent = DEFAULT_ACCENT;
  return { ...patch, ...Object.fromEntries(lists) };
}
