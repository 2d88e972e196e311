/** Every element that rendered Markdown may hold, with its attributes; nothing else ever leaves the renderer. */
export const ALLOWED_TAGS: Readonly<Record<string, readonly string[]>> = {
  a: ["href", "id", "title", "rel", "class", "aria-label"],
  blockquote: [],
  br: [],
  code: ["class"],
  del: [],
  div: ["class", "role", "tabindex", "aria-label"],
  em: [],
  h2: ["id"],
  h3: ["id"],
  h4: ["id"],
  h5: ["id"],
  h6: ["id"],
  hr: [],
  input: ["type", "disabled", "checked", "aria-label"],
  li: ["id", "class"],
  ol: ["start"],
  p: [],
  pre: ["tabindex"],
  section: ["class", "aria-label"],
  strong: [],
  sup: ["id", "class"],
  table: [],
  tbody: [],
  td: ["class"],
  th: ["class", "scope"],
  thead: [],
  tr: [],
  ul: [],
};

/** The schemes that a rendered link may have; an address without a scheme is relative to the page. */
export const ALLOWED_SCHEMES: readonly string[] = ["http:", "https:", "mailto:"];
