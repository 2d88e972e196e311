import type { Outline } from "../../../../../shared/tables/inspection/verdict.ts";
import type { JsonValue } from "./json-value.ts";

/**
 * The outline of a document as the interface describes it: five levels below the document, the first 50 members of an
 * object, the first item of a list where that has parts, and 1,000 values in all.
 */
export function describeOutline(document: JsonValue): Outline {
  let left = 1_000;
  const describe = ({ type, members, items }: JsonValue, level: number): Outline => {
    const show = (part: JsonValue): Outline[] => {
      if (level === 5 || left === 0) return [];
      left--;
      return [describe(part, level + 1)];
    };
    if (type === "object") {
      const first = [...members].slice(0, 50);
      const shown = first.flatMap(([name, part]) =>
        show(part).map((node) => ({ name: shorten(name), ...node })),
      );
      return { type, count: members.size, members: shown };
    }
    if (type !== "array") return { type };
    const kinds = [...new Set(items.map((item) => item.type))];
    const [node] = items.slice(0, 1).filter(hasParts).flatMap(show);
    return { type, count: items.length, item_types: kinds, ...(node && { first_item: node }) };
  };
  return describe(document, 0);
}

const hasParts = ({ type }: JsonValue): boolean => type === "object" || type === "array";

function shorten(name: string): string {
  const characters = [...name];
  return characters.length > 80 ? `${characters.slice(0, 80).join("")}…` : name;
}
