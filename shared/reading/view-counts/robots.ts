import { isbot } from "isbot";

/** Whether a User-Agent says that it is a robot. */
export type RobotVerdicts = (userAgent: string | undefined) => boolean;

const MOST_KNOWN = 1_000;
/** Longer texts are judged each time; a browser's has about a hundred characters. */
const LONGEST_KNOWN = 512;
/** No more is looked at: the whole 16 KiB that headers may have would take a third of a millisecond. */
const LONGEST_READ = 1_024;

/**
 * Opens the judging of User-Agents by isbot. The verdicts on the texts of late are known by heart, for that is a
 * hundred times as fast; where there are too many, all are forgotten.
 */
export function openRobotVerdicts(): RobotVerdicts {
  const known = new Map<string, boolean>();
  return (userAgent) => {
    if (userAgent === undefined) return false;
    const verdict = known.get(userAgent);
    if (verdict !== undefined) return verdict;
    const judged = isbot(userAgent.slice(0, LONGEST_READ));
    if (userAgent.length <= LONGEST_KNOWN) {
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(userAgent, judged);
    }
    return judged;
  };
}
