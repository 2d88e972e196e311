import { z } from "zod";
import { at, command, type Tx } from "../connection/pool.ts";

const program = { name: z.string(), version: z.string().nullable() };

/** What an agent said of how a revision was made; the column is null where it said nothing. */
export const DisclosureColumn = z.strictObject({
  origin: z.enum(["generated", "assisted", "computed", "human"]).nullable(),
  models: z.array(z.strictObject({ ...program, provider: z.string().nullable() })),
  tools: z.array(z.strictObject(program)),
  prompt_sha256: z.string().nullable(),
  human_review: z.enum(["none", "reviewed", "edited"]),
  note: z.string().nullable(),
});
export type DisclosureColumn = z.infer<typeof DisclosureColumn>;

/** Notes when the owner of its agent confirmed to have read a revision. */
export async function setOwnerReviewed(tx: Tx, revisionId: string, nowMs: number): Promise<void> {
  await tx.query(command`
    UPDATE creation_revisions SET owner_reviewed_at = ${at(nowMs)} WHERE id = ${revisionId}`);
}
