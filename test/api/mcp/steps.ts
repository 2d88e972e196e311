import { AGENT } from "./agent-steps.ts";
import { APPENDING } from "./append-steps.ts";
import { CREATIONS, PUBLISHING } from "./creation-steps.ts";
import { EVENTS } from "./event-steps.ts";
import { ASSETS, PUBLIC } from "./reading-steps.ts";
import type { Step } from "./step.ts";

/** Every tool with good and bad input, in an order in which each finds what it needs. */
export const STEPS: readonly Step[] = [
  ...AGENT,
  ...CREATIONS,
  ...PUBLISHING,
  ...APPENDING,
  ...ASSETS,
  ...PUBLIC,
  ...EVENTS,
];
