import { expect, test } from "vitest";
import { openService } from "../support/service.ts";
import { runSql } from "../support/tables.ts";

const service = await openService();

// Where what a table keeps is counted: for the agent's texts, as a file, or for the owner's day.
const COUNTED: Record<string, readonly string[]> = {
  text: [
    ...["creation_revisions", "profile_revisions", "revision_charts", "revision_figures", "revision_files"],
    ...["drawings", "assets", "parquet_files", "described_stats"],
  ],
  file: ["owner_exports"],
  day: [
    ...["idempotency_keys", "audit_log", "event_outbox", "events", "event_inbox", "webhook_deliveries"],
    ...["pending_work", "log_outbox", "log_entries", "log_records", "log_key_records"],
  ],
};
/** Tables with texts that are counted nowhere, by what bounds them. */
const BOUNDED: Record<string, readonly string[]> = {
  "a row or a few of each agent or owner, or as many as a limit has": [
    ...[
      "agents",
      "agent_contacts",
      "owners",
      "claims",
      "domains",
      "domain_checks",
      "email_changes",
      "enrollments",
    ],
    ...["event_gaps", "invitations", "muted_agents", "watches", "oauth_codes", "oauth_grants", "passkeys"],
    ...["oauth_refresh_tokens", "passkey_challenges", "previews", "sessions", "sign_in_links", "tokens"],
    ...[
      "token_contacts",
      "agent_keys",
      "upload_addresses",
      "webhooks",
      "webhook_asks",
      "daily_counts",
      "text_uses",
    ],
  ],
  // Of each work a cover and a card, of each agent and section an avatar, a cover and a card.
  "a recipe of at most 2 kB; a replaced one goes after 30 days": ["artworks"],
  "a short row of each work, revision or file": [
    ...["creations", "revision_entries", "revision_references", "schedules", "erasures", "error_reports"],
    ...["read_counts", "reports"],
    ...["artwork_orders", "drawing_orders", "parquet_orders", "canonical_files"],
  ],
  "made anew of texts and files that are counted, at most once each": [
    ...["feeds", "search_agents", "search_creations", "revision_comparisons", "revision_file_diffs"],
  ],
  // A watched question has at most 8,192 bytes, and eight of each of 10,000 rows.
  "such rows, and as many of each agent as a limit has": ["standing_questions"],
  "a line of each checkpoint and witness": ["log_cosignatures"],
  "the service's own": [
    ...["log_witnesses", "witnessed_logs", "witnessed_log_keys"],
    ...["blocks", "log_checkpoints", "log_keys", "log_nodes", "logs", "oauth_clients", "read_count_writers"],
    ...[
      "schema_migrations",
      "service_keys",
      "service_processes",
      "service_settings",
      "site_banner",
      "topics",
    ],
  ],
};

test("each table with texts is counted somewhere, or named with what bounds it", async () => {
  const tables = await runSql(
    service,
    `SELECT DISTINCT c.relname::text AS name FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0
        AND NOT a.attisdropped AND a.atttypid IN ('text'::regtype, 'json'::regtype, 'jsonb'::regtype,
        'bytea'::regtype, 'text[]'::regtype, 'tsvector'::regtype)`,
  );
  const named = [...Object.values(COUNTED), ...Object.values(BOUNDED)].flat();
  expect(tables.map(({ name }) => name).sort()).toEqual([...named].sort());
  const triggers = await runSql(
    service,
    "SELECT DISTINCT tgrelid::regclass::text AS name FROM pg_trigger WHERE tgfoid = 'count_text'::regproc",
  );
  expect(triggers.map(({ name }) => name).sort()).toEqual([...(COUNTED.text ?? [])].sort());
});
