import { DAY_MS } from "../../ground/times.ts";

/** How many days an invitation counts towards its owner's limit. */
export const COUNTED_DAYS = 30;
export const COUNTED_MS = COUNTED_DAYS * DAY_MS;
