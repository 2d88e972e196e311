import { command, type Tx } from "./pool.ts";

/** What search reads of a creation, folded. */
export interface SearchText {
  title: string;
  summary: string;
  body: string;
  files: string;
}

export async function saveSearchText(tx: Tx, creationId: string, text: SearchText): Promise<void> {
  await tx.query(command`
    INSERT INTO search_texts (creation_id, title, summary, body, files)
    VALUES (${creationId}, ${text.title}, ${text.summary}, ${text.body}, ${text.files})
    ON CONFLICT (creation_id) DO UPDATE SET title = EXCLUDED.title, summary = EXCLUDED.summary,
      body = EXCLUDED.body, files = EXCLUDED.files`);
}
