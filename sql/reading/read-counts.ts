import { z } from "zod";
import { at, command, type Db, sql, texts } from "../connection/pool.ts";
import { CreationType } from "../works/creations.ts";

const Figures = {
  form: z.enum(["page", "markdown", "json", "rows", "download"]),
  readers: z.number(),
  robots: z.number(),
};
const Day = z.string();
const CountRow = z.strictObject({ day: Day, ...Figures });
const CountOfWork = z.strictObject({ creation_id: z.string(), ...CountRow.shape });
const FormRow = z.strictObject(Figures);

/** The reads of a work on a day (`YYYY-MM-DD`, UTC) in one form, by people and by robots. */
export type ReadCountRow = z.infer<typeof CountRow>;
/** The same with the work's id, as a process has counted it. */
export type ReadCountOfWork = z.infer<typeof CountOfWork>;
/** The reads in one form. */
export type ReadFormRow = z.infer<typeof FormRow>;
export type ReadForm = ReadCountRow["form"];

/** The days of a question, both included. */
export interface ReadDays {
  from: string;
  to: string;
}

/** A batch of counts and the process that sends it; the batches of a process are numbered upwards. */
interface Batch {
  writerId: string;
  number: number;
  counts: readonly ReadCountOfWork[];
}

/**
 * Adds a batch of counts, once however often it is sent. Works that are erased meanwhile are left out. The rows are
 * changed in one order, so that processes wait for each other and none for ever.
 */
export async function addReadCounts(
  db: Db,
  { writerId, number, counts }: Batch,
  { nowMs, forgetBeforeMs }: { nowMs: number; forgetBeforeMs: number },
): Promise<void> {
  const bigints = (values: readonly number[]) => sql.array([...values], "int8");
  await db.query(command`
    WITH fresh AS (
      INSERT INTO read_count_writers AS w (id, batch, written_at) VALUES (${writerId}, ${number}, ${at(nowMs)})
      ON CONFLICT (id) DO UPDATE SET batch = EXCLUDED.batch, written_at = EXCLUDED.written_at
        WHERE w.batch < EXCLUDED.batch
      RETURNING w.id
    ), forgotten AS (DELETE FROM read_count_writers WHERE written_at < ${at(forgetBeforeMs)})
    INSERT INTO read_counts AS k (creation_id, day, form, readers, robots)
    SELECT c.id, n.day, n.form, n.readers, n.robots
    FROM fresh, unnest(${texts(counts.map((row) => row.creation_id))}, ${texts(counts.map((row) => row.day))}::date[],
        ${texts(counts.map((row) => row.form))}, ${bigints(counts.map((row) => row.readers))},
        ${bigints(counts.map((row) => row.robots))}) AS n (creation_id, day, form, readers, robots)
      JOIN creations c ON c.id = n.creation_id AND c.erased_at IS NULL
    ORDER BY c.id, n.day, n.form
    ON CONFLICT (creation_id, day, form)
      DO UPDATE SET readers = k.readers + EXCLUDED.readers, robots = k.robots + EXCLUDED.robots`);
}

/** The counts of a work, within days where they are given, the oldest first; days and forms without reads have no row. */
export async function listReadCounts(db: Db, creationId: string, days: ReadDays | null) {
  const within =
    days === null ? sql.fragment`true` : sql.fragment`day BETWEEN ${days.from}::date AND ${days.to}::date`;
  return await db.any(sql.type(CountRow)`
    SELECT day, form, readers, robots FROM read_counts
    WHERE creation_id = ${creationId} AND ${within} ORDER BY day, form`);
}

/** The counts of all works of an agent within days, added up for each day and form. */
export async function sumReadCountsOfAgent(db: Db, agentId: string, { from, to }: ReadDays) {
  return await db.any(sql.type(CountRow)`
    SELECT k.day, k.form, sum(k.readers)::bigint AS readers, sum(k.robots)::bigint AS robots
    FROM creations c JOIN read_counts k ON k.creation_id = c.id
    WHERE c.agent_id = ${agentId} AND k.day BETWEEN ${from}::date AND ${to}::date
    GROUP BY k.day, k.form ORDER BY k.day, k.form`);
}

const MostReadRow = z.strictObject({
  creation_id: z.string(),
  type: CreationType,
  slug: z.string(),
  title: z.string(),
  is_open: z.boolean(),
  forms: z.array(FormRow),
});
/** A work with its reads by form; `title` is that of its latest revision. */
export type MostReadRow = z.infer<typeof MostReadRow>;

/** The works of an agent that people read most within days, at most `limit`; those that only robots read come last. */
export async function listMostRead(
  db: Db,
  agentId: string,
  { from, to, limit }: ReadDays & { limit: number },
): Promise<readonly MostReadRow[]> {
  return await db.any(sql.type(MostReadRow)`
    SELECT c.id AS creation_id, c.type, c.slug, r.title,
      c.visibility <> 'private' AND c.hidden_at IS NULL AS is_open, most.forms
    FROM (
      SELECT n.creation_id, sum(n.readers) AS readers, sum(n.robots) AS robots,
        json_agg(json_build_object('form', n.form, 'readers', n.readers, 'robots', n.robots)) AS forms
      FROM (
        SELECT k.creation_id, k.form, sum(k.readers) AS readers, sum(k.robots) AS robots
        FROM creations w JOIN read_counts k ON k.creation_id = w.id
        WHERE w.agent_id = ${agentId} AND k.day BETWEEN ${from}::date AND ${to}::date
        GROUP BY k.creation_id, k.form
      ) AS n
      GROUP BY n.creation_id ORDER BY readers DESC, robots DESC, n.creation_id DESC LIMIT ${limit}
    ) AS most JOIN creations c ON c.id = most.creation_id
      JOIN creation_revisions r ON r.id = c.latest_revision_id
    ORDER BY most.readers DESC, most.robots DESC, c.id DESC`);
}
