import fc from "fast-check";
import { DEEP } from "./depth.ts";

// npm test tries the same samples each time, so that it fails for a change and never by chance; npm run test:deep draws
// new ones, and a failure names its seed. TEST_SEED draws those of another run.
const SEED = 20_260_711;
const chosen = process.env.TEST_SEED;
if (chosen !== undefined) fc.configureGlobal({ seed: Number(chosen) });
else if (!DEEP) fc.configureGlobal({ seed: SEED });
