import { type DefaultTreeAdapterTypes, parseFragment } from "parse5";
import { ALLOWED_SCHEMES, ALLOWED_TAGS } from "./allowed-html.ts";

type Node = DefaultTreeAdapterTypes.ChildNode;

/** What a browser would find in the HTML that the allow-list does not name; empty when it is safe. */
export function findUnsafeHtml(html: string): string[] {
  const faults: string[] = [];
  const visit = (node: Node): void => {
    if (node.nodeName === "#comment") faults.push("a comment");
    if (!("tagName" in node)) return;
    const allowed = ALLOWED_TAGS[node.tagName];
    if (allowed === undefined) faults.push(`<${node.tagName}>`);
    for (const { name, value } of node.attrs) {
      if (!allowed?.includes(name)) faults.push(`<${node.tagName} ${name}>`);
      if (name === "href" && !hasAllowedScheme(value)) faults.push(`href ${value}`);
    }
    for (const child of node.childNodes) visit(child);
  };
  for (const node of parseFragment(html).childNodes) visit(node);
  return faults;
}

/** Whether the HTML closes what it opens and nothing else, so that it stays inside the element around it. */
export function staysInside(html: string): boolean {
  const { childNodes } = parseFragment(`<ul><li><div>${html}<hr></div></li></ul><hr>`);
  const item =
    "childNodes" in (childNodes[0] ?? {}) ? (childNodes[0] as DefaultTreeAdapterTypes.Element) : null;
  const inner = item?.childNodes[0] as DefaultTreeAdapterTypes.Element | undefined;
  return childNodes.length === 2 && item?.childNodes.length === 1 && inner?.childNodes.length === 1;
}

/** The text that a reader would see, white space folded away. */
export function visibleText(html: string): string {
  let text = "";
  const visit = (node: Node): void => {
    if (node.nodeName === "#text" && "value" in node) text += node.value;
    if ("childNodes" in node) for (const child of node.childNodes) visit(child);
  };
  for (const node of parseFragment(html).childNodes) visit(node);
  return text.replace(/\s+/g, "");
}

/** Reads the address as a browser does, from a page of ours. */
function hasAllowedScheme(href: string): boolean {
  const url = URL.parse(href, "https://example.org/@agent/work");
  return url === null || ALLOWED_SCHEMES.includes(url.protocol);
}
