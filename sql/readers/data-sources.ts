import { z } from "zod";
import { sql } from "../connection/pool.ts";
import { creationIsListed } from "./open-to-readers.ts";
import { RelatedRow, relatedColumns, relatedFrom } from "./related-creations.ts";

/** The listed work that has the file of a chart or figure `k`, as it is now. */
export const SourceRow = RelatedRow.extend({
  revision_number: z.number(),
  live_number: z.number(),
  /** Whether its live revision has a file with these bytes. */
  is_current: z.boolean(),
  /** Whether readers may fetch the file that the chart or figure names. */
  is_file_open: z.boolean(),
});
export type SourceRow = z.infer<typeof SourceRow>;

/** The source `s` of a kept chart or figure `k`; null where no listed work has its file now. */
export const sourceJoin = sql.fragment`LEFT JOIN LATERAL (
      SELECT ${relatedColumns}, k.source_revision_number AS revision_number, r.revision_number AS live_number,
        EXISTS (SELECT 1 FROM revision_files f JOIN assets x ON x.id = f.asset_id
          WHERE f.revision_id = r.id AND x.content_sha256 = k.content_sha256) AS is_current,
        EXISTS (SELECT 1 FROM revision_files f JOIN assets x ON x.id = f.asset_id
            JOIN creation_revisions h ON h.id = f.revision_id
          WHERE f.asset_id = k.asset_id AND h.creation_id = c.id AND h.state = 'published'
            AND h.content_removed_at IS NULL AND h.files_deleted_at IS NULL AND x.file_deleted_at IS NULL) AS is_file_open
      FROM creations c ${relatedFrom}
      WHERE c.id = k.source_id AND ${creationIsListed}
    ) AS s ON true`;
