import type { FlowchartNode, NodeForm } from "../markdown/flowcharts/flowchart.ts";
import { setText, type TextBlock, type TextRule } from "./text-block.ts";

/** A node with its text set and the size of its shape, in px. */
export interface SizedNode {
  node: FlowchartNode;
  text: TextBlock;
  width: number;
  height: number;
}

/** Radius of the corners of a rounded box. */
export const CORNER_PX = 10;

const PADDING = { x: 16, y: 11 };
const LEAST = { width: 56, height: 42 };
// Height of a decision for each px of its width.
const SLOPE = 0.56;

const NODE_TEXT: TextRule = { sizePx: 15, ratio: 3, narrowestPx: 170, widestPx: 460 };
const RULES: Readonly<Record<NodeForm, TextRule>> = {
  box: NODE_TEXT,
  rounded: NODE_TEXT,
  stadium: { ...NODE_TEXT, ratio: 4 },
  decision: { ...NODE_TEXT, ratio: 2.4, narrowestPx: 120, widestPx: 380 },
  circle: { ...NODE_TEXT, ratio: 1.2, narrowestPx: 64, widestPx: 380 },
};

/** Sets the text of a node and makes its shape large enough that the text lies wholly inside. */
export function sizeNode(node: FlowchartNode): SizedNode {
  const text = setText(node.label, RULES[node.form]);
  return { node, text, ...sizeShape(node.form, text) };
}

function sizeShape(form: NodeForm, text: TextBlock): { width: number; height: number } {
  if (form === "circle") {
    const diameter = Math.ceil(Math.max(LEAST.height + 4, Math.hypot(text.width, text.height) + 14));
    return { width: diameter, height: diameter };
  }
  if (form === "decision") {
    const [across, down] = [text.width + 14, text.height + 10];
    const width = Math.ceil(Math.max(72, across + down / SLOPE));
    return { width, height: Math.ceil(Math.max(LEAST.height, across * SLOPE + down)) };
  }
  const height = Math.ceil(Math.max(LEAST.height, text.height + 2 * PADDING.y));
  const ends = form === "stadium" ? roundInset(height / 2, text.height / 2) : 0;
  return { width: Math.ceil(Math.max(LEAST.width, text.width + 2 * (PADDING.x + ends))), height };
}

/** How far a circle of a radius has drawn back from its tangent at a distance from the touching point. */
function roundInset(radius: number, distance: number): number {
  const within = Math.min(radius, Math.abs(distance));
  return radius - Math.sqrt(radius * radius - within * within);
}

/** A side of a shape: top and bottom are alike, and so are left and right. */
export type SideAxis = "flat" | "upright";

/** How far from the middle of a side a connection may touch it. */
export function reachOfSide(form: NodeForm, axis: SideAxis, width: number, height: number): number {
  const half = (axis === "flat" ? width : height) / 2;
  if (form === "decision") return half * 0.3;
  if (form === "circle") return half * 0.6;
  if (form === "stadium") return axis === "flat" ? Math.max(half - height / 2, 0) + height / 6 : half * 0.6;
  return Math.max(0, half - (form === "rounded" ? CORNER_PX + 2 : 6));
}

/** How far the outline lies inside the bounding box at a distance from the middle of a side. */
export function insetAt(
  form: NodeForm,
  axis: SideAxis,
  width: number,
  height: number,
  distance: number,
): number {
  const [along, across] = axis === "flat" ? [width / 2, height / 2] : [height / 2, width / 2];
  const away = Math.abs(distance);
  if (form === "decision") return (across * away) / along;
  if (form === "circle") return roundInset(along, away);
  if (form === "stadium") {
    if (axis === "upright") return roundInset(along, away);
    const radius = height / 2;
    return roundInset(radius, Math.max(0, away - (along - radius)));
  }
  return 0;
}

// Two arrowheads stay apart at 13 px; beyond sixteen of them a node would become a bar.
const PORT_ROOM = { gapPx: 13, most: 16 };

/** Makes room at a node for its connections, on the sides that the flow enters and leaves; `turned` for LR and RL. */
export function widenForPorts(sized: SizedNode, ports: number, turned: boolean): SizedNode {
  const { form } = sized.node;
  if (form === "circle" || form === "decision") return sized;
  const wanted = (Math.min(ports, PORT_ROOM.most) - 1) * PORT_ROOM.gapPx;
  const reach = reachOfSide(form, turned ? "upright" : "flat", sized.width, sized.height);
  const missing = Math.max(0, wanted - 2 * reach);
  if (missing === 0) return sized;
  return turned ? { ...sized, height: sized.height + missing } : { ...sized, width: sized.width + missing };
}
