import { z } from "zod";
import { listOf, Ulid } from "./members.ts";

/** GET /topics: all of them on one page. */
export const TopicList = listOf(
  z.strictObject({ id: Ulid, slug: z.string(), label: z.string(), description: z.string().nullable() }),
);
