import { listRoundSteps, roundEdge } from "./bins.ts";
import type { NumberHistogram } from "./number-histogram.ts";

const ROUND = ["1.00000", "2.00000", "5.00000"];

/**
 * Joins neighbouring bins until there are about as many as a drawing of so many values can bear: 1 + log2 n (Sturges).
 * Edges stay round, so a bin may take up more or fewer than that; bins that are not round stay as they are.
 */
export function mergeBins(histogram: NumberHistogram): NumberHistogram {
  const { from, to, counts } = histogram;
  const width = (to - from) / counts.length;
  const wanted = 1 + Math.log2(counts.reduce((sum, count) => sum + count, 0));
  let best = histogram;
  for (const step of listRoundSteps()) {
    if (step > counts.length) break;
    if (!isRound(step * width)) continue;
    const joined = joinBins(histogram, width, step);
    if (joined.counts.length < 2) break;
    if (distance(joined, wanted) < distance(best, wanted)) best = joined;
  }
  return best;
}

function isRound(width: number): boolean {
  const [digits = ""] = width.toExponential(5).split("e");
  return ROUND.includes(digits);
}

function distance({ counts }: NumberHistogram, wanted: number): number {
  return Math.abs(Math.log(counts.length / wanted));
}

/** Joins each `step` bins that begin at a multiple of their common width. */
function joinBins({ from: lowest, counts }: NumberHistogram, width: number, step: number): NumberHistogram {
  const place = Math.round(lowest / width);
  const first = Math.floor(place / step);
  const joined: number[] = [];
  for (const [at, count] of counts.entries()) {
    const bin = Math.floor((place + at) / step) - first;
    joined[bin] = (joined[bin] ?? 0) + count;
  }
  const edge = (bin: number) => roundEdge(bin * step * width);
  return { from: edge(first), to: edge(first + joined.length), counts: joined };
}
