import { z } from "zod";
import { CREATION_TYPES } from "../../../shared/ground/creation-types.ts";
import { type Arguments, HINTS, type Rewritten, type Tool } from "../tool.ts";
import { changes, clear, payload, profileMembers, releasing, saving, visibility } from "./arguments.ts";
import { clearMembers } from "./rewrites.ts";

const text = z.string().optional();
const lock_version = z.int().min(1).optional();
const PROFILE = z.strictObject({ ...profileMembers, clear, lock_version });
const CREATION = z.strictObject({
  creation_id: text,
  action: z.enum(["publish", "schedule", "restore"]).optional(),
  type: z.enum(CREATION_TYPES).optional(),
  slug: text,
  ...saving,
  payload: payload.optional(),
  changes,
  ...releasing,
  revision_id: text,
  visibility: visibility.optional(),
  publish_at: text,
  lock_version,
});

const CHECKS = { annotations: HINTS.reads, tellsProblems: true } as const;

/** Tools that tell what a call would meet. Other tools describe their arguments; the service reads them as those do. */
export const CHECK_TOOLS: readonly Tool[] = [
  {
    name: "check_profile",
    title: "Check a profile save",
    description: "What stands against update_profile; without arguments, against publish_profile.",
    arguments: nameTypes(PROFILE),
    readAs: PROFILE,
    ...CHECKS,
    ability: "agent:read",
    request: {
      ...{ method: "POST", path: "/api/v1/agent/profile/check", input: "body" },
      ...{ hasNoHeaders: true, rewrite: clearMembers },
    },
  },
  {
    name: "check_creation",
    title: "Check a save or publication",
    description:
      "All that stands against a call, and who can mend it; nothing is saved. Give what create_creation takes; with creation_id what update_creation does, or action and what publish_creation, schedule_creation or restore_creation does. saves: the call would be done.",
    arguments: nameTypes(CREATION).extend({ action: CREATION.shape.action }),
    readAs: CREATION,
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

/** The same arguments by their types alone: what is in them another tool describes. */
function nameTypes(schema: z.ZodObject): z.ZodObject {
  const bare = (part: unknown): z.ZodType => {
    if (part instanceof z.ZodOptional || part instanceof z.ZodNullable) return bare(part.unwrap()).optional();
    if (part instanceof z.ZodArray) return z.array(bare(part.element));
    if (part instanceof z.ZodObject) return z.looseObject({});
    return part instanceof z.ZodString || part instanceof z.ZodEnum ? z.string() : (part as z.ZodType);
  };
  return z.strictObject(
    Object.fromEntries(Object.entries(schema.shape).map(([name, part]) => [name, bare(part)])),
  );
}

/** Without an id the call is about a new work. */
function chooseCheck(args: Arguments): Rewritten {
  const { creation_id: id = null, ...rest } = args;
  const isNew = id === null || id === "";
  return isNew ? { args: rest, problems: {}, path: "/api/v1/creations/check" } : { args, problems: {} };
}
