import { z } from "zod";
import { at, atOrNull, command, type Db, Id, sql, Timestamp, type Tx } from "../connection/pool.ts";

export const BannerAudience = z.enum(["everyone", "owners"]);
export type BannerAudience = z.infer<typeof BannerAudience>;

const BannerRow = z.strictObject({
  id: z.string(),
  text: z.string(),
  audience: BannerAudience,
  until: Timestamp.nullable(),
  created_at: Timestamp,
});
export type BannerRow = z.infer<typeof BannerRow>;

/** The banner, in force or over; null where there is none. */
export async function findBanner(db: Db): Promise<BannerRow | null> {
  return await db.maybeOne(sql.type(BannerRow)`
    SELECT b.id, b.text, b.audience, b.until, b.created_at FROM site_banner b`);
}

/** Adds the banner, or puts it in the place of the one before. */
export async function saveBanner(tx: Tx, banner: BannerRow): Promise<void> {
  await tx.query(command`
    INSERT INTO site_banner (id, text, audience, until, created_at)
    VALUES (${banner.id}, ${banner.text}, ${banner.audience}, ${atOrNull(banner.until)}, ${at(banner.created_at)})
    ON CONFLICT ((true)) DO UPDATE SET id = EXCLUDED.id, text = EXCLUDED.text, audience = EXCLUDED.audience,
      until = EXCLUDED.until, created_at = EXCLUDED.created_at`);
}

/** Deletes the banner and returns its id; null where there is none. */
export async function deleteBanner(tx: Tx): Promise<string | null> {
  return await tx.maybeOneFirst(sql.type(Id)`DELETE FROM site_banner RETURNING id`);
}
