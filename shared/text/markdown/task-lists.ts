import type { StateCore, Token } from "markdown-it";

const MARK = /^\[([ xX])\][ \t]+(?=\S)/;

/**
 * Turns `[ ]` and `[x]` at the start of a list item into a checkbox token.
 * Own rule: the usual plugin writes raw HTML tokens, which are refused here, and unlabelled checkboxes.
 */
export function markTasks(state: StateCore): void {
  const { tokens } = state;
  for (let index = 2; index < tokens.length; index++) {
    const [item, paragraph, inline] = [tokens[index - 2], tokens[index - 1], tokens[index]];
    if (inline?.type !== "inline" || paragraph?.type !== "paragraph_open" || item?.type !== "list_item_open")
      continue;
    const checkbox = takeCheckbox(state, inline);
    if (checkbox === null) continue;
    item.attrSet("class", "task");
    inline.children?.unshift(checkbox);
  }
}

function takeCheckbox(state: StateCore, inline: Token): Token | null {
  const first = inline.children?.[0];
  if (first?.type !== "text") return null; // `[x]` may be a reference link instead
  const mark =
    MARK.exec(first.content) ?? (inline.children?.[1] ? /^\[([ xX])\][ \t]+$/.exec(first.content) : null);
  if (mark === null) return null;
  first.content = first.content.slice(mark[0].length);
  const checkbox = new state.Token("task_checkbox", "input", 0);
  checkbox.meta = { done: mark[1] !== " " };
  return checkbox;
}
