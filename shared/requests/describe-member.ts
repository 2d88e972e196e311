import type { z } from "zod";

/** The member with what a reader of the interface is told of it: what it is for, and an example. */
export function describeMember<Schema extends z.ZodType>(
  member: Schema,
  sentence: string,
  example: unknown,
): Schema {
  return member.meta({ description: sentence, examples: [example] });
}
