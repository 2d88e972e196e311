import type { Client } from "pg";

const SECTIONS: [title: string, text: string][] = [
  ["extensions", "SELECT extname AS line FROM pg_extension ORDER BY 1"],
  [
    "columns",
    `SELECT format('%s.%s %s%s%s%s', c.relname, a.attname, format_type(a.atttypid, a.atttypmod),
       CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END,
       CASE WHEN a.attidentity <> '' THEN ' IDENTITY' ELSE '' END,
       coalesce(' DEFAULT ' || pg_get_expr(d.adbin, d.adrelid), '')) AS line
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
       LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
     WHERE n.nspname = 'public' AND c.relkind IN ('r', 'v', 'm', 'p') AND a.attnum > 0 AND NOT a.attisdropped
     ORDER BY c.relname, a.attnum`,
  ],
  [
    // From PostgreSQL 18 on NOT NULL is a constraint of its own; the columns above tell of it in every version.
    "constraints",
    `SELECT format('%s %s %s', conrelid::regclass, conname, pg_get_constraintdef(c.oid)) AS line
     FROM pg_constraint c JOIN pg_namespace n ON n.oid = c.connamespace
     WHERE n.nspname = 'public' AND conrelid <> 0 AND contype <> 'n' ORDER BY 1`,
  ],
  ["indexes", "SELECT indexdef AS line FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1"],
  [
    "triggers",
    `SELECT pg_get_triggerdef(t.oid) AS line FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
       JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND NOT t.tgisinternal ORDER BY 1`,
  ],
  [
    "functions",
    `SELECT replace(pg_get_functiondef(p.oid), E'\\n', ' ') AS line
     FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname = 'public' AND p.prokind = 'f'
       AND NOT EXISTS (SELECT 1 FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e') ORDER BY 1`,
  ],
  [
    "views",
    "SELECT viewname || ': ' || definition AS line FROM pg_views WHERE schemaname = 'public' ORDER BY 1",
  ],
  [
    "rights on the audit log",
    `SELECT format('%s may %s', grantee, string_agg(privilege_type, ', ' ORDER BY privilege_type)) AS line
     FROM information_schema.role_table_grants
     WHERE table_schema = 'public' AND table_name = 'audit_log' GROUP BY grantee ORDER BY 1`,
  ],
];

/** The schema of our own tables as sorted lines of text, read from PostgreSQL's catalogue. */
export async function describeSchema(client: Client): Promise<string> {
  const parts: string[] = [];
  for (const [title, text] of SECTIONS) {
    const { rows } = await client.query<{ line: string }>(text);
    parts.push([`# ${title}`, ...rows.map((row) => row.line)].join("\n"));
  }
  return `${parts.join("\n\n")}\n`;
}
