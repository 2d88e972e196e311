import { randomInt } from "node:crypto";

/** The seed of a run's generated drawings, another one each time; DRAWINGS_SEED plays the same ones again. */
export const SEED = Number(process.env.DRAWINGS_SEED ?? randomInt(2 ** 31));
console.info(`drawings: seed ${SEED} (DRAWINGS_SEED)`);
