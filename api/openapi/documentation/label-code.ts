// The renderer escapes what a block holds.
const BLOCK = /<pre tabindex="0"><code(?: class="language-([a-z]+)")?>([^<]*)<\/code><\/pre>\n/g;
const LANGUAGES: Readonly<Record<string, string>> = {
  sh: "Commands",
  json: "JSON",
  toml: "TOML",
  http: "HTTP",
  markdown: "Markdown",
};

/**
 * Puts each code block of a page in a figure whose caption says what it is: commands that send a request, the answer
 * that follows one, or the language of what else has one.
 */
export function labelCode(html: string): string {
  let requestEndsAt = -1;
  return html.replace(BLOCK, (block: string, language = "", code = "", at = 0) => {
    if (language === "sh" && code.includes("curl ")) {
      requestEndsAt = at + block.length;
      return captionCode(block, "Request", " request");
    }
    if (language === "json" && at === requestEndsAt) return captionCode(block, "Answer", " answer");
    return captionCode(block, LANGUAGES[language] ?? null, "");
  });
}

function captionCode(block: string, caption: string | null, kind: string): string {
  const head = caption === null ? "" : `<figcaption>${caption}</figcaption>`;
  return `<figure class="listing${kind}">${head}${block.trimEnd()}</figure>\n`;
}
