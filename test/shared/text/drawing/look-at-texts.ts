import type { Browser, Page } from "playwright-core";
import { measureOverlap } from "../charts/read-drawing.ts";

/** A drawing to look at: its name for complaints, and its SVG. */
export interface SeenDrawing {
  name: string;
  svg: string;
}

/** The widest sans serif of common systems. */
export const WIDEST_FONT = "DejaVu Sans";

/** Further sans serifs: a wide one, some of Arial's measure, condensed ones. */
export const OTHER_FONTS: readonly string[] = [
  "Noto Sans",
  "Liberation Sans",
  "Open Sans",
  "Roboto",
  "DejaVu Sans Condensed",
  "Liberation Sans Narrow",
];

type Corner = [x: number, y: number];
interface SeenText {
  text: string;
  corners: Corner[];
  /** The node of a flowchart that holds the text, as points of its outline. */
  outline: Corner[] | null;
}
interface Seen {
  frame: { x: number; y: number; width: number; height: number };
  texts: SeenText[];
}

// Letters are rasterised in whole pixels.
const TOLERANCE_PX = 1;

/** A blank page with the drawings, each as a page shows it. */
export async function openDrawings(browser: Browser, drawings: readonly SeenDrawing[]): Promise<Page> {
  const page = await browser.newPage();
  await page.setContent(`<!doctype html><meta charset="utf-8">${drawings.map(({ svg }) => svg).join("\n")}`);
  return page;
}

/** Which of some fonts this machine has. */
export async function listFonts(page: Page, wanted: readonly string[]): Promise<string[]> {
  return await page.evaluate(`(${LIST_FONTS})(${JSON.stringify(wanted)})`);
}

// A font that is missing is as wide as the one behind it.
const LIST_FONTS = `(fonts) => {
  const context = document.createElement("canvas").getContext("2d");
  const widthOf = (stack) => {
    context.font = "100px " + stack;
    return context.measureText("Wmi 0%").width;
  };
  return fonts.filter((font) => widthOf(\`"\${font}", serif\`) === widthOf(\`"\${font}", monospace\`));
}`;

/** Every text that in one font leaves its frame or its node, or lies on another text; null is the drawings' own font. */
export async function findMisplaced(
  page: Page,
  drawings: readonly SeenDrawing[],
  font: string | null,
): Promise<string[]> {
  const seen = await readTexts(page, font);
  return seen.flatMap((drawing, index) =>
    findFaults(drawing).map((fault) => `${font ?? "own"}: ${drawings[index]?.name}: ${fault}`),
  );
}

function findFaults({ frame, texts }: Seen): string[] {
  const faults: string[] = [];
  const [right, bottom] = [frame.x + frame.width, frame.y + frame.height];
  for (const [index, { text, corners, outline }] of texts.entries()) {
    const over = Math.max(...corners.flatMap(([x, y]) => [frame.x - x, frame.y - y, x - right, y - bottom]));
    if (over > TOLERANCE_PX) faults.push(`“${text}” leaves the frame by ${over.toFixed(1)} px`);
    if (outline !== null && !corners.every((corner) => liesWithin(outline, corner)))
      faults.push(`“${text}” leaves its node`);
    for (const other of texts.slice(index + 1)) {
      if (!areNear(corners, other.corners)) continue;
      const overlap = measureOverlap(corners, other.corners);
      if (overlap > TOLERANCE_PX)
        faults.push(`“${text}” lies on “${other.text}” by ${overlap.toFixed(1)} px`);
    }
  }
  return faults;
}

/** Whether the upright boxes around two shapes meet; most texts are ruled out by this at a tenth of the cost. */
function areNear(one: readonly Corner[], other: readonly Corner[]): boolean {
  return [0, 1].every((axis) => {
    const [own, its] = [one.map((corner) => corner[axis] ?? 0), other.map((corner) => corner[axis] ?? 0)];
    return Math.min(...own) < Math.max(...its) && Math.min(...its) < Math.max(...own);
  });
}

/** Whether a point lies in a convex outline, or no further outside than is tolerated. */
function liesWithin(outline: readonly Corner[], [x, y]: Corner): boolean {
  const sides = outline.map(([fromX, fromY], index): number => {
    const [toX, toY] = outline[(index + 1) % outline.length] ?? [fromX, fromY];
    const length = Math.hypot(toX - fromX, toY - fromY) || 1;
    return ((toX - fromX) * (y - fromY) - (toY - fromY) * (x - fromX)) / length;
  });
  return Math.min(...sides) >= -TOLERANCE_PX || Math.max(...sides) <= TOLERANCE_PX;
}

/** Where each line of text stands, in the units of its drawing, as the browser has set it. */
async function readTexts(page: Page, font: string | null): Promise<Seen[]> {
  const css = font === null ? "" : `svg { font-family: "${font}", sans-serif }`;
  return await page.evaluate(`(${READ_TEXTS})(${JSON.stringify(css)})`);
}

// From the height of capitals to below the baseline: the box of a font is higher than its letters.
const READ_TEXTS = `(css) => {
  const cornersOf = (line) => {
    const { x, width } = line.getBBox();
    const baseline = line.getStartPositionOfChar(0).y;
    const size = parseFloat(getComputedStyle(line).fontSize);
    const [top, bottom] = [baseline - size * 0.75, baseline + size * 0.22];
    const toDrawing = line.ownerSVGElement.getScreenCTM().inverse();
    const turn = DOMMatrix.fromMatrix(toDrawing.multiply(line.getScreenCTM()));
    return [[x, top], [x + width, top], [x + width, bottom], [x, bottom]].map(([left, down]) => {
      const point = new DOMPoint(left, down).matrixTransform(turn);
      return [point.x, point.y];
    });
  };
  const outlineOf = (shape) => {
    if (shape instanceof SVGPolygonElement) return [...shape.points].map(({ x, y }) => [x, y]);
    const length = shape.getTotalLength();
    return Array.from({ length: 48 }, (_, index) => {
      const { x, y } = shape.getPointAtLength((length * index) / 48);
      return [x, y];
    });
  };
  const readText = (text, shape) => {
    const spans = [...text.querySelectorAll("tspan")];
    const outline = shape === undefined ? null : outlineOf(shape);
    return (spans.length > 0 ? spans : [text])
      .filter((line) => line.textContent.trim() !== "")
      .map((line) => ({ text: line.textContent, corners: cornersOf(line), outline }));
  };
  const sheet = document.querySelector("style") ?? document.head.appendChild(document.createElement("style"));
  sheet.textContent = css;
  return [...document.querySelectorAll("svg")].map((svg) => {
    const { x, y, width, height } = svg.viewBox.baseVal;
    // The texts of nodes stand in the order of their shapes.
    const shapes = [...svg.querySelectorAll(".shapes > *")];
    const inNodes = [...svg.querySelectorAll(".texts > text")];
    const others = [...svg.querySelectorAll("text")].filter((text) => !inNodes.includes(text));
    const texts = [
      ...inNodes.flatMap((text, index) => readText(text, shapes[index])),
      ...others.flatMap((text) => readText(text)),
    ];
    return { frame: { x, y, width, height }, texts };
  });
}`;
