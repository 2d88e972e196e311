import { scaleLinear } from "d3-scale";
import { areTrueLabels, formatPower, formatTicks, isTrueLabel } from "./figures.ts";

const NEARLY = 1e-9;
/** Round ends and ticks within a power of ten. */
const ROUND = [1, 2, 5];
/** A longer axis ends at powers of ten. */
const MOST_FINE_POWERS = 3;
/** A longer axis has no lines at 2, 3, 4 and so on. */
const MOST_MINOR_POWERS = 4;

/** A tick: a digit times a power of ten, which may lie beyond the doubles. */
interface LogTick {
  digit: number;
  power: number;
}

const exponentOf = ({ digit, power }: LogTick): number => power + Math.log10(digit);

/** Builds an axis of powers of ten over a domain above zero, with at most about `count` labelled ticks. */
export function createLogAxis(
  [low, high]: [number, number],
  count: number,
  { isNice, format }: { isNice: boolean; format: string | null },
) {
  const own: [number, number] = [Math.log10(low), Math.log10(high)];
  const [from, to] = isNice ? roundEnds(own) : own;
  const place = (value: number): number => (Math.log10(value) - from) / (to - from);
  const ticks = chooseTicks(from, to, count);
  if (ticks.length < 2) return { place, ticks: listEven([low, high], count, place, format), minor: [] };
  const lines = to - from > MOST_MINOR_POWERS ? [] : listTicks(from, to, [1, 2, 3, 4, 5, 6, 7, 8, 9], 1);
  const placeTick = (tick: LogTick): number => (exponentOf(tick) - from) / (to - from);
  const write = (by: string | null) => ticks.map(({ digit, power }) => formatPower(digit, power, by));
  const formatted = write(format);
  const isTrue = ({ digit, power }: LogTick, index: number) =>
    isTrueLabel(Number(`${digit}e${power}`), formatted[index] ?? "");
  const labels = ticks.every(isTrue) ? formatted : write(null);
  return {
    place,
    ticks: ticks.map((tick, index) => ({ at: placeTick(tick), label: labels[index] ?? "" })),
    minor: lines.map(placeTick),
  };
}

/** The nearest round ends around a span. */
function roundEnds([from, to]: [number, number]): [number, number] {
  const digits = to - from < MOST_FINE_POWERS ? ROUND : [1];
  const ends = listTicks(Math.floor(from), Math.ceil(to), digits, 1).map(exponentOf);
  const low = Math.max(...ends.filter((end) => end <= from + NEARLY));
  const high = Math.min(...ends.filter((end) => end >= to - NEARLY));
  const power = Math.floor(low + NEARLY);
  return high - low > NEARLY ? [low, high] : [power, power + 1];
}

/** The finest of round ticks, powers of ten, and every second, fifth or so power that are no more than asked for. */
function chooseTicks(from: number, to: number, count: number): LogTick[] {
  const fine = listTicks(from, to, ROUND, 1);
  if (fine.length <= count + 2) return fine;
  for (let step = 1; ; step++) {
    const powers = listTicks(from, to, [1], step);
    if (powers.length <= count + 1) return powers;
  }
}

function listTicks(from: number, to: number, digits: readonly number[], step: number): LogTick[] {
  const ticks: LogTick[] = [];
  const first = Math.ceil(Math.floor(from + NEARLY) / step) * step;
  for (let power = first; power <= to + NEARLY; power += step)
    ticks.push(...digits.map((digit) => ({ digit, power })));
  return ticks.filter((tick) => exponentOf(tick) >= from - NEARLY && exponentOf(tick) <= to + NEARLY);
}

/** Evenly spaced ticks, for a given domain that holds hardly a round number. */
function listEven(
  domain: [number, number],
  count: number,
  place: (value: number) => number,
  format: string | null,
) {
  const ticks = scaleLinear().domain(domain).ticks(Math.min(count, 3));
  const formatted = formatTicks(ticks, 0, format);
  const labels = areTrueLabels(ticks, formatted) ? formatted : formatTicks(ticks, 0);
  return ticks.map((tick, index) => ({ at: place(tick), label: labels[index] ?? "" }));
}
