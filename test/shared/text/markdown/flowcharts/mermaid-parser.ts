import path from "node:path";
import { pathToFileURL } from "node:url";
import type {
  FlowchartConnection,
  FlowchartNode,
} from "../../../../../shared/text/markdown/flowcharts/flowchart.ts";

/** What mermaid reads in a text, in our words. */
export interface MermaidGraph {
  direction: string;
  nodes: FlowchartNode[];
  connections: FlowchartConnection[];
}

interface MermaidDb {
  getDirection(): string;
  getVertices(): Map<string, { id: string; text: string; type?: string }>;
  getEdges(): { start: string; end: string; text: string; stroke: string; type: string }[];
}

const FORMS: Readonly<Record<string, FlowchartNode["form"]>> = {
  square: "box",
  round: "rounded",
  stadium: "stadium",
  diamond: "decision",
  circle: "circle",
};
const LINES: Readonly<Record<string, FlowchartConnection["line"]>> = {
  normal: "solid",
  dotted: "dashed",
  thick: "thick",
};

/**
 * Mermaid's own parser from the folder where it was installed, without a browser: it only asks the sanitizer for one, and only for texts of labels, so the
 * sanitizer is made to hand them through. Gives null for a text that mermaid refuses.
 */
export async function openMermaid(folder: string): Promise<(text: string) => Promise<MermaidGraph | null>> {
  const load = (...file: string[]) => import(pathToFileURL(path.join(folder, "node_modules", ...file)).href);
  const sanitizer = await load("dompurify", "dist", "purify.es.mjs");
  const nothing = (): void => {};
  Object.assign(sanitizer.default, {
    addHook: nothing,
    removeHook: nothing,
    removeAllHooks: nothing,
    sanitize: (text: string) => text,
  });
  const { default: mermaid } = await load("mermaid", "dist", "mermaid.core.mjs");
  await mermaid.parse("flowchart TD\nA");
  return async (text) => {
    const diagram = await mermaid.mermaidAPI.getDiagramFromText(text).catch(() => null);
    return diagram === null || !diagram.type.startsWith("flowchart") ? null : readGraph(diagram.db as never);
  };
}

function readGraph(db: MermaidDb): MermaidGraph {
  return {
    direction: db.getDirection(),
    nodes: [...db.getVertices().values()].map(({ id, text, type }) => ({
      id,
      label: readLabel(text),
      form: type === undefined ? "box" : (FORMS[type] ?? "box"),
    })),
    connections: db.getEdges().map(({ start, end, text, stroke, type }) => ({
      from: start,
      to: end,
      label: readLabel(text),
      line: LINES[stroke] ?? "solid",
      arrow: type === "arrow_point",
    })),
  };
}

/** Mermaid keeps `<br>` and hides entities from itself; both as our labels have them. */
export function readLabel(text: string): string {
  return text
    .replace(/ﬂ°°?/g, "#")
    .replaceAll("¶ß", ";")
    .replace(/<br\s*\/?>/gi, "\n");
}
