import { randomInt } from "node:crypto";
import fc from "fast-check";
import { DEEP } from "./depth.ts";

/**
 * The seed of all that is drawn by chance. npm test tries the same samples each time, so that it fails for a change and
 * never by chance; npm run test:deep draws new ones. TEST_SEED draws those of another run.
 */
export const SEED = Number(process.env.TEST_SEED ?? (DEEP ? randomInt(2 ** 31) : 20_260_711));
fc.configureGlobal({ seed: SEED });
