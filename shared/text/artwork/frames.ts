import type { Frame } from "./paint.ts";

/** Sizes in px at which artwork is drawn. */
export const AVATAR_FRAME: Frame = { width: 240, height: 240 };
export const COVER_FRAME: Frame = { width: 1200, height: 300 };
export const CARD_FRAME: Frame = { width: 1200, height: 630 };
