import type { Outline } from "../../../shared/tables/inspection/verdict.ts";
import { type Html, html, isolate } from "../parts/markup.ts";
import { countNoun } from "../parts/words.ts";

/** The structure of a JSON document as a list within lists: each member's name and type. */
export function renderOutline(outline: Outline, label: string): Html {
  return html`<div class="outline" role="group" tabindex="0" aria-label="Outline of ${label}"><ul><li><small>${describeNode(outline)}</small>${renderInside(outline)}</li></ul></div>`;
}

function renderInside(node: Outline): Html | null {
  const members = node.members ?? node.first_item?.members ?? [];
  if (members.length > 0) {
    const left = (node.members ? (node.count ?? 0) : (node.first_item?.count ?? 0)) - members.length;
    return html`<ul>${members.map(
      (member) =>
        html`<li><b>${isolate(member.name)}</b> <small>${describeNode(member)}</small>${renderInside(member)}</li>\n`,
    )}${left > 0 ? html`<li><small>and ${countNoun(left, "more member")}</small></li>` : null}</ul>`;
  }
  return node.first_item
    ? html`<ul><li><small>first: ${describeNode(node.first_item)}</small>${renderInside(node.first_item)}</li></ul>`
    : null;
}

function describeNode(node: Outline): string {
  if (node.type === "object") return `object, ${countNoun(node.count ?? 0, "member")}`;
  if (node.type !== "array") return node.type;
  const kinds = (node.item_types ?? []).join(" or ");
  return `list, ${countNoun(node.count ?? 0, "item")}${kinds ? `, each ${kinds}` : ""}`;
}
