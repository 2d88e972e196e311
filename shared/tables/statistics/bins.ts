/** The most bins of a histogram. */
export const MOST_BINS = 20;

/** Widths of bins: 1, 2, 5, 10, 20, 50 and so on, as far as a span of safe whole numbers needs them. */
export function* listRoundSteps(): Generator<number> {
  for (let power = 1; power <= Number.MAX_SAFE_INTEGER; power *= 10) {
    yield power;
    yield 2 * power;
    yield 5 * power;
  }
}

// Edges are round, so what follows the fourteenth digit is the error of a product or a sum.
const EDGE_DIGITS = 14;

/** The edge of a bin without the error of its computation. */
export function roundEdge(edge: number): number {
  return Number(edge.toPrecision(EDGE_DIGITS));
}

/** The whole number of steps up to a whole number, downwards; the remainder is exact where a quotient rounds. */
export function floorDivide(value: number, step: number): number {
  const rest = value % step;
  return (value - rest) / step - (rest < 0 ? 1 : 0);
}
