import { XMLParser, XMLValidator } from "fast-xml-parser";
import { measureText } from "../../../../shared/text/drawing/measure-text.ts";

/** An element of a drawing as a parser of XML sees it. */
export interface DrawnElement {
  name: string;
  attributes: Record<string, string>;
  children: DrawnElement[];
  text: string;
  /** How far the groups around it are moved to the right. */
  shiftPx: number;
}

type Point = [x: number, y: number];
type ParsedNode = Record<string, unknown> & { ":@"?: Record<string, string> };

const parser = new XMLParser({
  preserveOrder: true,
  ignoreAttributes: false,
  attributeNamePrefix: "",
  trimValues: false,
  parseTagValue: false,
  htmlEntities: true,
});

/** Reads a drawing as strict XML; throws when it is none. */
export function readDrawing(svg: string): DrawnElement {
  const verdict = XMLValidator.validate(svg);
  if (verdict !== true) throw new Error(`no XML: ${verdict.err.msg}`);
  const [root] = toElements(parser.parse(svg) as ParsedNode[]);
  if (root === undefined) throw new Error("no element");
  return root;
}

function toElements(nodes: ParsedNode[], shiftPx = 0): DrawnElement[] {
  return nodes.flatMap((node) => {
    const name = Object.keys(node).find((key) => key !== ":@" && key !== "#text");
    if (name === undefined) return [];
    const inner = node[name] as ParsedNode[];
    const text = inner.map((child) => (typeof child["#text"] === "string" ? child["#text"] : "")).join("");
    const attributes = node[":@"] ?? {};
    const moved = name === "g" ? Number(MOVED.exec(attributes.transform ?? "")?.[1] ?? 0) : 0;
    return [{ name, attributes, children: toElements(inner, shiftPx + moved), text, shiftPx }];
  });
}

const MOVED = /^translate\(([-\d.]+) 0\)$/;

/** All elements of a drawing, outermost first. */
export function listElements(root: DrawnElement): DrawnElement[] {
  return [root, ...root.children.flatMap(listElements)];
}

const ATTRIBUTE = (element: DrawnElement, name: string): number => Number(element.attributes[name] ?? 0);
const NARROWED = /^scale\(([\d.]+) 1\)$/;
const TURNED = /^translate\(([-\d.]+) ([-\d.]+)\)(?: rotate\(([-\d.]+)\))?$/;

/** The corners of a line of text, turned as it is drawn. */
export function findCorners(text: DrawnElement): Point[] {
  return cornersWithin(text).map(([x, y]) => [x + text.shiftPx, y]);
}

function cornersWithin(text: DrawnElement): Point[] {
  const sizePx = Number(text.attributes["font-size"] ?? 13);
  const width = measureText(text.text, sizePx, { bold: text.attributes["font-weight"] === "700" });
  const anchor = text.attributes["text-anchor"];
  const left = ATTRIBUTE(text, "x") - (anchor === "end" ? width : anchor === "middle" ? width / 2 : 0);
  const baseline = ATTRIBUTE(text, "y");
  const [top, bottom] = [baseline - sizePx * 0.75, baseline + sizePx * 0.22];
  const box: Point[] = [
    [left, top],
    [left + width, top],
    [left + width, bottom],
    [left, bottom],
  ];
  const transform = text.attributes.transform;
  if (transform === undefined) return box;
  const share = NARROWED.exec(transform)?.[1];
  if (share !== undefined) return box.map(([x, y]) => [x * Number(share), y]);
  const [, dx, dy, degrees] = TURNED.exec(transform) ?? [];
  const angle = (Number(degrees ?? 0) * Math.PI) / 180;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  return box.map(([x, y]) => [x * cos - y * sin + Number(dx), x * sin + y * cos + Number(dy)]);
}

/** How deep two convex shapes lie in each other (separating axes); negative or 0: apart. */
export function measureOverlap(one: readonly Point[], other: readonly Point[]): number {
  let least = Number.POSITIVE_INFINITY;
  for (const shape of [one, other]) {
    for (const [index, [x, y]] of shape.entries()) {
      const [nextX, nextY] = shape[(index + 1) % shape.length] ?? [x, y];
      const length = Math.hypot(nextX - x, nextY - y);
      if (length === 0) continue;
      const axis: Point = [(nextY - y) / length, (x - nextX) / length];
      const [a, b] = [project(one, axis), project(other, axis)];
      least = Math.min(least, Math.min(a.high, b.high) - Math.max(a.low, b.low));
    }
  }
  return least;
}

function project(shape: readonly Point[], [axisX, axisY]: Point): { low: number; high: number } {
  const along = shape.map(([x, y]) => x * axisX + y * axisY);
  return { low: Math.min(...along), high: Math.max(...along) };
}

/** Points that marks reach: ends of lines, corners of bars, vertices of paths, centres of shapes. */
export function findMarkPoints(element: DrawnElement): Point[] {
  return markPointsWithin(element).map(([x, y]) => [x + element.shiftPx, y]);
}

function markPointsWithin(element: DrawnElement): Point[] {
  const at = (name: string): number => ATTRIBUTE(element, name);
  if (element.name === "rect") {
    return [
      [at("x"), at("y")],
      [at("x") + at("width"), at("y") + at("height")],
    ];
  }
  if (element.name === "circle") {
    return [
      [at("cx") - at("r"), at("cy") - at("r")],
      [at("cx") + at("r"), at("cy") + at("r")],
    ];
  }
  if (element.name === "line") {
    return [
      [at("x1"), at("y1")],
      [at("x2"), at("y2")],
    ];
  }
  if (element.name !== "path") return [];
  const moved = TURNED.exec(element.attributes.transform ?? "");
  if (moved !== null) return [[Number(moved[1]), Number(moved[2])]];
  const pairs = (element.attributes.d ?? "").matchAll(/[ML]([-\d.e]+),([-\d.e]+)/g);
  return Array.from(pairs, ([, x, y]): Point => [Number(x), Number(y)]);
}
