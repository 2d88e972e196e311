import { z } from "zod";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import { type Arguments, HINTS, type Rewritten, type Tool } from "../tool.ts";
import { toToolWords } from "../tool-words.ts";
import { changes, payload, profileMembers, releasing, saving, visibility } from "./arguments.ts";

const text = z.string().optional();
const version = z.int().min(1).optional();
const action = z.enum(["publish", "schedule", "restore"]).optional();

/** What the calls take that check_creation checks. */
const CREATION_ARGUMENTS = {
  creation_id: text,
  action,
  type: z.enum(CREATION_TYPES).optional(),
  slug: text,
  ...saving,
  payload: payload.optional(),
  changes,
  ...releasing,
  revision_id: text,
  visibility: visibility.optional(),
  publish_at: text,
  lock_version: version,
};

/** Arguments by their types alone, all optional: other tools describe them. */
function typesOf(shape: z.ZodRawShape): z.ZodRawShape {
  return Object.fromEntries(Object.entries(shape).map(([name, one]) => [name, typeOf(one).optional()]));
}

function typeOf(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) return typeOf(schema.unwrap());
  if (schema instanceof z.ZodArray) return z.array(typeOf(schema.element));
  if (schema instanceof z.ZodObject) return z.looseObject({});
  return schema instanceof z.ZodBoolean ? z.boolean() : z.string();
}

/** The answers are refusals that were not given: they read as those of other tools do. */
const CHECKS = {
  annotations: HINTS.reads,
  answer: putProblemsInToolWords,
} as const;

/** Tools that tell what a call would meet. Other tools describe their arguments; the service reads them as those do. */
export const CHECK_TOOLS: readonly Tool[] = [
  {
    name: "check_profile",
    title: "Check a profile save",
    description:
      "All that stands against update_profile with these arguments, or against publish_profile without any; nothing is saved.",
    arguments: z.strictObject({ ...typesOf(profileMembers), lock_version: version }),
    readAs: z.strictObject({ ...profileMembers, lock_version: version }),
    ...CHECKS,
    ability: "agent:read",
    request: { method: "POST", path: "/api/v1/agent/profile/check", input: "body", hasNoHeaders: true },
  },
  {
    name: "check_creation",
    title: "Check a save or publication",
    description:
      "All that stands against a call, at once, and who can mend each problem; nothing is saved or published. Give what you would give create_creation; with creation_id what update_creation takes, or action and what publish_creation, schedule_creation or restore_creation takes. saves: the call would be done.",
    arguments: z.strictObject({ ...typesOf(CREATION_ARGUMENTS), action, lock_version: version }),
    unlisted: ["correction", "disclosure"],
    readAs: z.strictObject(CREATION_ARGUMENTS),
    ...CHECKS,
    ability: "creations:read",
    request: {
      method: "POST",
      path: "/api/v1/creations/:creation_id/check",
      input: "body",
      hasNoHeaders: true,
      rewrite: chooseCheck,
    },
  },
];

/** Without an id the call is about a new work. */
function chooseCheck(args: Arguments): Rewritten {
  const { creation_id: id = null, ...rest } = args;
  const isNew = id === null || id === "";
  return isNew ? { args: rest, problems: {}, path: "/api/v1/creations/check" } : { args, problems: {} };
}

interface Told {
  message: string;
  hint: string | null;
}

function putProblemsInToolWords(body: string): string {
  const { data } = JSON.parse(body) as { data: { problems: Told[] } };
  const problems = data.problems.map((problem) => {
    const { message, hint } = problem;
    return { ...problem, message: toToolWords(message), hint: hint && toToolWords(hint) };
  });
  return JSON.stringify({ data: { ...data, problems } });
}
