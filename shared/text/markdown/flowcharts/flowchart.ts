/** A flowchart as its text defines it: the parser's output and the drawing's input. */

/** Where the flow goes: top to bottom, bottom to top, left to right, right to left. */
export type FlowDirection = "TB" | "BT" | "LR" | "RL";

/** The five node forms: `A[box]`, `A(rounded)`, `A([stadium])`, `A{decision}`, `A((circle))`. */
export type NodeForm = "box" | "rounded" | "stadium" | "decision" | "circle";

/** The line of a connection: `-->` and `---` are solid, `-.->` dashed, `==>` thick. */
export type LineStyle = "solid" | "dashed" | "thick";

/** A node; its label has a line feed where the text breaks a line, and is its id where the text gives none. */
export interface FlowchartNode {
  id: string;
  label: string;
  form: NodeForm;
}

/** A connection between two node ids; an empty label is none. */
export interface FlowchartConnection {
  from: string;
  to: string;
  label: string;
  line: LineStyle;
  arrow: boolean;
}

/** Nodes and connections in the order in which the text first names them. */
export interface Flowchart {
  direction: FlowDirection;
  nodes: FlowchartNode[];
  connections: FlowchartConnection[];
}

/** Something that keeps a flowchart from being drawn; `line` counts from 1 within the block. */
export interface FlowchartProblem {
  line: number;
  message: string;
}

/** Most nodes a flowchart may have (specification, Limits). */
export const MAX_NODES = 50;

/** Most connections a flowchart may have (specification, Limits). */
export const MAX_CONNECTIONS = 100;
