import { expect, test } from "vitest";
import { nameStatement } from "../../../shared/telemetry/statement-names.ts";

test.for([
  ["SELECT id FROM owners WHERE id = $1", "SELECT", "owners"],
  ["  SELECT 1 FROM agents a JOIN owners o ON true FOR UPDATE OF a", "SELECT", "agents"],
  ["INSERT INTO creations AS c (id) VALUES ($1) ON CONFLICT DO UPDATE SET id = 1", "INSERT", "creations"],
  ["UPDATE sessions SET revoked_at = $1 WHERE id IS DISTINCT FROM $2", "UPDATE", "sessions"],
  ["DELETE FROM sign_in_links WHERE hash IN (SELECT hash FROM others)", "DELETE", "sign_in_links"],
  ["WITH aged AS (DELETE FROM old_rows) INSERT INTO new_rows (a) SELECT a FROM aged", "INSERT", "new_rows"],
  [
    "WITH found AS (SELECT id FROM agents) SELECT g.id FROM found f JOIN audit_log g ON true",
    "SELECT",
    "audit_log",
  ],
  ["SELECT EXISTS (SELECT 1 FROM schedules WHERE a IS NOT DISTINCT FROM b)", "SELECT", "schedules"],
  ["SELECT x FROM unnest($1::text[]) x JOIN tokens t ON true", "SELECT", "tokens"],
  ["(SELECT id FROM reports) UNION (SELECT id FROM agents)", "SELECT", "reports"],
  ["UPDATE schedules SET detail = 'moved FROM here (DELETE' WHERE id = $1", "UPDATE", "schedules"],
  ["SELECT pg_advisory_xact_lock($1)", "SELECT", null],
  ["COMMIT", "COMMIT", null],
  ["", "STATEMENT", null],
] as const)("%s", ([text, verb, table]) => {
  expect(nameStatement(text)).toEqual({ verb, table });
  expect(nameStatement(text)).toEqual({ verb, table });
});
