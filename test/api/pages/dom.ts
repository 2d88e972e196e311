/** Reads a page as a browser would, for the page tests. */
import { type DefaultTreeAdapterTypes, parse } from "parse5";

type Node = DefaultTreeAdapterTypes.ChildNode;
export type Element = DefaultTreeAdapterTypes.Element;

export interface Dom {
  faults: string[];
  elements: Element[];
  /** Elements with this tag name, and with this attribute where one is given. */
  all(tagName: string, attribute?: string, value?: string): Element[];
}

/** Parses a document; `faults` are the HTML standard's parse errors. */
export function readPage(page: string): Dom {
  const faults: string[] = [];
  const document = parse(page, {
    onParseError: ({ code, startLine }) => faults.push(`${code} line ${startLine}`),
  });
  const elements = document.childNodes.flatMap(listElements);
  return {
    faults,
    elements,
    all: (tagName, attribute, value) =>
      elements.filter((element) => {
        if (element.tagName !== tagName) return false;
        if (attribute === undefined) return true;
        const found = readAttribute(element, attribute);
        return value === undefined ? found !== null : found === value;
      }),
  };
}

/** An attribute's value, or null. */
export function readAttribute(element: Element, name: string): string | null {
  return element.attrs.find((attribute) => attribute.name === name)?.value ?? null;
}

/** All text inside an element. */
export function readText(element: Element): string {
  return element.childNodes.map(readNodeText).join("");
}

function readNodeText(node: Node): string {
  if (node.nodeName === "#text" && "value" in node) return node.value;
  return "tagName" in node ? readText(node) : "";
}

/** An element and all in it. */
export function listElements(node: Node): Element[] {
  return "tagName" in node ? [node, ...node.childNodes.flatMap(listElements)] : [];
}

/** The address that a link of a page leads to, whole where the page names it from the root of its site. */
export function leadsTo(link: Element, siteUrl = "https://example.org"): string {
  const href = readAttribute(link, "href") ?? "";
  return href.startsWith("/") ? `${siteUrl}${href}` : href;
}
