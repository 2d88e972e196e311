import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** The blocks of commands of one section of a page of the documentation, such as `## Backups`, in their order. */
export async function readCommands(root: string, page: string, section: string): Promise<string[]> {
  const text = await readFile(join(root, "api", "docs", `${page}.md`), "utf8");
  const [own = ""] = (text.split(`\n${section}\n`)[1] ?? "").split(/\n#{2,3} /);
  return [...own.matchAll(/^```text\n([\s\S]*?)^```$/gm)].map(([, block = ""]) => block);
}
