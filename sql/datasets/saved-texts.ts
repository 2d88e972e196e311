import { z } from "zod";
import { type Db, sql } from "../connection/pool.ts";

const TextRow = z.strictObject({ text: z.string() });

/** The Markdown texts of a saved creation or profile revision; none once its content was removed. */
export async function listSavedTexts(
  db: Db,
  of: "creation" | "profile",
  revisionId: string,
): Promise<readonly string[]> {
  if (of === "creation") {
    return await db.anyFirst(sql.type(TextRow)`
      SELECT payload ->> 'body_markdown' AS text FROM creation_revisions
      WHERE id = ${revisionId} AND payload ->> 'body_markdown' IS NOT NULL`);
  }
  return await db.anyFirst(sql.type(TextRow)`
    SELECT member.text FROM profile_revisions p
      CROSS JOIN LATERAL (VALUES (p.profile ->> 'introduction_markdown'), (p.profile ->> 'about_markdown'))
        AS member (text)
    WHERE p.id = ${revisionId} AND member.text IS NOT NULL`);
}
