import { z } from "zod";
import type { LivenessLimits } from "../connection/liveness.ts";
import { openVersionPool } from "../connection/version-pool.ts";
import { creationIsListed, creationIsOpen, frontPageIsOpen } from "./open-to-readers.ts";

/** The subject of a page: a creation, an agent's front page, the home of the site, a feed, or the list of topics. */
export type PageSubject =
  | { kind: "creation"; handle: string; slug: string }
  | { kind: "agent"; handle: string }
  | { kind: "home" }
  /** The feed of the site without a handle, else of an agent, or of one of its sections. */
  | { kind: "feed"; handle?: string; section?: string }
  | { kind: "topics" };

/** A row of every statement here; `place` numbers the subjects from 1. */
export const PageVersionRow = z.strictObject({ place: z.number(), version: z.string() });

/** How many works and agents the home of the site shows. */
export const HOME_CARDS = 30;
export const HOME_AGENTS = 12;

/** How old a confirmation is whose page names its day, in hours. */
export const HOURS_NAMED = 48;

// Topics are few and rarely change: their texts, and the transaction that last wrote each, go into the
// version.
const topicsVersion = `(SELECT md5(string_agg(concat_ws('.', t.xmin, t.id, t.slug, t.label, t.enabled), ',' ORDER BY t.id))
    FROM topics t)`;

const versionOf = (creation: string, agent: string, owner: string) =>
  `concat_ws('.', ${creation}.id, ${creation}.page_version, ${agent}.id, ${agent}.page_version, ${owner}.page_version)`;

// Uses both columns of the index: with a join, the planner may read all works of an agent where most agents
// have few.
const BY_SLUG = "SELECT * FROM creations WHERE agent_id = a.id AND slug = w.slug OFFSET 0";

// A page says whether its data are overdue, and how many hours ago they were confirmed; from two days on it names the day.
const freshnessVersion = `CASE WHEN c.data_due_at IS NOT NULL OR c.data_confirmed_at IS NOT NULL THEN concat_ws('.',
  c.data_due_at <= $3::timestamptz, c.data_overdue_at <= $3::timestamptz,
  least(floor(extract(epoch FROM $3::timestamptz - c.data_confirmed_at) / 3600), ${HOURS_NAMED})) END`;

// A page says which of its revisions are in the log. The sequencer must not wait for writers, nor they for it, so it
// raises no version: the newest place is part of the version itself, and so is the newest that witnesses have seen.
const logVersion = `(SELECT concat_ws('.', l.log_number, l.index, (SELECT max(k.index) FROM log_records k
      WHERE k.creation_id = c.id AND k.log_number = l.log_number AND k.index < (SELECT max(p.size)
        FROM log_checkpoints p WHERE p.log_number = l.log_number AND p.witnesses IS NOT NULL)))
    FROM log_records l WHERE l.creation_id = c.id ORDER BY l.log_number DESC, l.index DESC LIMIT 1)`;

// A text says what the newest data say of its figures and charts. To raise its version the job that asks would lock the
// agents of all texts that ask: the transactions that answered last are part of the version itself.
const standingVersion = `(SELECT md5(string_agg(concat_ws('.', q.id, q.xmin), ',' ORDER BY q.id))
    FROM standing_questions q WHERE q.creation_id = c.id)`;

/**
 * A creation's page shows its own row, its agent and owner, the agent's topics, and the titles of related creations: those it
 * names, the one that supersedes it, and those whose live revision names it. Pages of its revisions show the sources of their charts and figures.
 * The version covers each of these, listed or not, as its own version changes with its openness.
 */
const CREATIONS = `
  SELECT w.place::int AS place,
    concat(${versionOf("c", "a", "o")}, ';', ${freshnessVersion}, ';', k.last_seen_at, ';', ${logVersion}, ';', ${standingVersion}, ';', around.version, ';', ${topicsVersion}) AS version
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w (handle, slug, place)
    JOIN agents a ON a.handle = w.handle JOIN owners o ON o.id = a.owner_id
    JOIN LATERAL (${BY_SLUG}) AS c ON true
    LEFT JOIN agent_contacts k ON k.agent_id = a.id
    LEFT JOIN LATERAL (
      SELECT md5(string_agg(near.version, ',' ORDER BY near.version)) AS version FROM (
        SELECT ${versionOf("rc", "ra", "ro")} AS version
        FROM (
          SELECT f.target_id AS id FROM revision_references f WHERE f.revision_id = c.live_revision_id
          UNION ALL SELECT e.entry_id FROM revision_entries e WHERE e.revision_id = c.live_revision_id
          UNION ALL SELECT k.source_id FROM revision_charts k
            WHERE k.creation_id = c.id AND k.source_id IS NOT NULL
          UNION ALL SELECT k.source_id FROM revision_figures k
            WHERE k.creation_id = c.id AND k.source_id IS NOT NULL
          UNION ALL SELECT c.superseded_by
          UNION ALL SELECT b.id FROM revision_references f JOIN creations b ON b.live_revision_id = f.revision_id
            WHERE f.target_id = c.id
          UNION ALL SELECT b.id FROM revision_entries e JOIN creations b ON b.live_revision_id = e.revision_id
            WHERE e.entry_id = c.id
        ) AS related
          JOIN creations rc ON rc.id = related.id
          JOIN agents ra ON ra.id = rc.agent_id JOIN owners ro ON ro.id = ra.owner_id
      ) AS near
    ) AS around ON true
  WHERE ${creationIsOpen.sql}`;

/** A front page shows its agent, its owner, its works with those that supersede them, the topics and the agents that it links to. */
const AGENTS = `
  SELECT w.place::int AS place,
    concat(a.id, '.', a.page_version, '.', a.works_version, '.', o.page_version, ';', k.last_seen_at, ';',
      k.last_seen_at > $2::timestamptz - interval '1 day', ';', ${topicsVersion}, ';', linked.version, ';',
      superseding.version) AS version
  FROM unnest($1::text[]) WITH ORDINALITY AS w (handle, place)
    JOIN agents a ON a.handle = w.handle JOIN owners o ON o.id = a.owner_id
    JOIN profile_revisions p ON p.id = a.live_profile_id
    LEFT JOIN agent_contacts k ON k.agent_id = a.id
    LEFT JOIN LATERAL (
      SELECT string_agg(concat_ws('.', la.id, la.page_version, lo.page_version), ',' ORDER BY la.id) AS version
      FROM json_array_elements_text(p.profile -> 'linked_agent_ids') AS link (id)
        JOIN agents la ON la.id = link.id JOIN owners lo ON lo.id = la.owner_id
    ) AS linked ON true
    LEFT JOIN LATERAL (
      SELECT string_agg(${versionOf("rc", "ra", "ro")}, ',' ORDER BY w.id) AS version
      FROM creations w JOIN creations rc ON rc.id = w.superseded_by
        JOIN agents ra ON ra.id = rc.agent_id JOIN owners ro ON ro.id = ra.owner_id
      WHERE w.agent_id = a.id AND w.superseded_by IS NOT NULL
    ) AS superseding ON true
  WHERE ${frontPageIsOpen.sql}`;

/** The home shows the newest works, the agents seen last and the topics; their order counts too. */
const HOME = `
  SELECT 1 AS place, md5(concat(
    (SELECT string_agg(n.version, ',' ORDER BY n.updated_at DESC, n.id DESC) FROM (
      SELECT c.updated_at, c.id, ${versionOf("c", "a", "o")} AS version
      FROM creations c JOIN agents a ON a.id = c.agent_id JOIN owners o ON o.id = a.owner_id
      WHERE ${creationIsListed.sql} ORDER BY c.updated_at DESC, c.id DESC LIMIT ${HOME_CARDS}) AS n), ';',
    (SELECT string_agg(s.version, ',' ORDER BY s.last_seen_at DESC NULLS LAST, s.id) FROM (
      SELECT k.last_seen_at, a.id, concat(a.id, '.', a.page_version, '.', a.works_version, '.', o.page_version) AS version
      FROM agent_contacts k JOIN agents a ON a.id = k.agent_id JOIN owners o ON o.id = a.owner_id
      WHERE ${frontPageIsOpen.sql} ORDER BY k.last_seen_at DESC NULLS LAST, k.agent_id LIMIT ${HOME_AGENTS}) AS s), ';',
    ${topicsVersion})) AS version`;

/**
 * A stored feed without a change since, of an agent that is open: `xmin` is the transaction that wrote it last. The live profile
 * says which sections there are. A feed that waits for its rebuild has no version, and is put together at each request.
 */
const FEEDS = `
  SELECT w.place::int AS place, concat_ws('.', f.key, f.xmin, f.etag, f.modified_at, a.live_profile_id) AS version
  FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS w (handle, section, place)
    LEFT JOIN agents a ON a.handle = w.handle LEFT JOIN owners o ON o.id = a.owner_id
    JOIN feeds f ON f.key = CASE WHEN w.handle = '' THEN 'site' WHEN w.section = '' THEN 'agent:' || a.id
      ELSE 'section:' || a.id || ':' || w.section END
  WHERE (w.handle = '' OR ${frontPageIsOpen.sql})
    AND NOT EXISTS (SELECT 1 FROM pending_work w WHERE w.kind = 'build-feed' AND w.subject = f.key)`;

const TOPICS = `SELECT 1 AS place, concat('topics.', ${topicsVersion}) AS version`;

/** The statement of each kind of subject, with its parameters. */
export const PAGE_VERSION_STATEMENTS: readonly {
  kind: PageSubject["kind"];
  text: string;
  valuesOf(subjects: readonly PageSubject[], nowMs: number): unknown[];
}[] = [
  {
    kind: "creation",
    text: CREATIONS,
    valuesOf: (all, nowMs) => [all.map(handleOf), all.map(slugOf), new Date(nowMs).toISOString()],
  },
  {
    kind: "agent",
    text: AGENTS,
    valuesOf: (all, nowMs) => [all.map(handleOf), new Date(nowMs).toISOString()],
  },
  { kind: "home", text: HOME, valuesOf: () => [] },
  { kind: "feed", text: FEEDS, valuesOf: (all) => [all.map(handleOf), all.map(slugOf)] },
  { kind: "topics", text: TOPICS, valuesOf: () => [] },
];

function handleOf(subject: PageSubject): string {
  return "handle" in subject ? (subject.handle ?? "") : "";
}

function slugOf(subject: PageSubject): string {
  if (subject.kind === "creation") return subject.slug;
  return subject.kind === "feed" ? (subject.section ?? "") : "";
}

/** Opens the reader of page versions. These are the hottest statements of the service. */
export function openPageVersions(
  databaseUrl: string,
  connections: number,
  limits: Partial<LivenessLimits> = {},
) {
  const { run, close } = openVersionPool(databaseUrl, connections, limits);
  return {
    /**
     * Reads the page version of each subject, or null where readers may not open it. Equal versions mean equal
     * pages. One statement reads all subjects of a kind.
     */
    async read(subjects: readonly PageSubject[], nowMs: number): Promise<readonly (string | null)[]> {
      const versions: (string | null)[] = subjects.map(() => null);
      await Promise.all(
        PAGE_VERSION_STATEMENTS.map(async ({ kind, text, valuesOf }) => {
          const places = subjects.flatMap((subject, place) => (subject.kind === kind ? [place] : []));
          if (places.length === 0) return;
          const asked = places.flatMap((place) => subjects[place] ?? []);
          for (const { place, version } of await run<z.infer<typeof PageVersionRow>>({
            name: `page-version-${kind}`,
            text,
            values: valuesOf(asked, nowMs),
          })) {
            versions[places[place - 1] ?? -1] = version;
          }
        }),
      );
      return versions;
    },
    close,
  };
}
