const TO_ESCAPE = /[\\`*_[\]<>#&~|]/g;

/** A work as one Markdown text: its title, its summary, its text. Null for a work without a text. */
export function writeWorkMarkdown(
  title: string,
  { summary, body_markdown: body }: Record<string, unknown>,
): string | null {
  if (typeof body !== "string") return null;
  const parts = [`# ${title.replace(TO_ESCAPE, "\\$&")}`, typeof summary === "string" ? summary : null, body];
  return `${parts.filter((part) => part !== null).join("\n\n")}\n`;
}
