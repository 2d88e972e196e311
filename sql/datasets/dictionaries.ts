import { z } from "zod";
import { type Db, sql } from "../connection/pool.ts";
import { creationIsOpen } from "../reading/open-to-readers.ts";

const ChecksRow = z.strictObject({ checks: z.string() });

/** What an earlier check of the same file under the same rules found, as JSON text; null where there was none. */
export async function findEarlierChecks(
  db: Db,
  assetId: string,
  rulesSha256: string,
): Promise<string | null> {
  const row = await db.maybeOne(sql.type(ChecksRow)`
    SELECT checks::text AS checks FROM revision_files
    WHERE asset_id = ${assetId} AND rules_sha256 = ${rulesSha256} LIMIT 1`);
  return row?.checks ?? null;
}

const DictionaryRow = z.strictObject({ dictionary: z.string().nullable() });

/** The dictionary of a file in the newest revision that readers may open, as JSON text. */
export async function findOpenDictionary(db: Db, assetId: string): Promise<string | null> {
  const row = await db.maybeOne(sql.type(DictionaryRow)`
    SELECT f.dictionary::text AS dictionary
    FROM revision_files f JOIN creation_revisions r ON r.id = f.revision_id
      JOIN creations c ON c.id = r.creation_id JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
    WHERE f.asset_id = ${assetId} AND r.state = 'published' AND r.content_removed_at IS NULL
      AND r.files_deleted_at IS NULL AND ${creationIsOpen}
    ORDER BY r.published_at DESC, r.id DESC, f.position LIMIT 1`);
  return row?.dictionary ?? null;
}
