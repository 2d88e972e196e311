import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { diffTexts, diffWholeLines } from "../../../../shared/tables/differences/diff-texts.ts";
import { openFolder } from "../../../support/close-afterwards.ts";
import { runs } from "../../../support/depth.ts";
import { changeText, randomText } from "../../../support/random-texts.ts";
import { createRandom } from "../inspection/generated.ts";

const hasPatch = spawnSync("patch", ["--version"]).status === 0;
if (!hasPatch) console.warn("No patch(1) here: what it makes of our diffs is left out.");

const folder = await openFolder();

/** What patch(1) makes of a text; it takes line ends as they are, no reverse patch and no fuzz. */
function applyByProgram(text: string, patch: string): string {
  const [original, result] = [join(folder, "original"), join(folder, "result")];
  writeFileSync(original, text);
  // Without a result of its own, patch removes a file that becomes empty.
  writeFileSync(result, "");
  const options = ["--binary", "--forward", "--fuzz=0", "--silent", "--output", result, original];
  const { status, stdout, stderr } = spawnSync("patch", options, { input: patch, encoding: "utf8" });
  if (status !== 0) throw new Error(`patch ended with ${status}: ${stdout}${stderr}`);
  return readFileSync(result, "utf8");
}

// Not skipped where the program is not there: that would count as failed.
if (hasPatch) {
  // A process for each pair: all of them take a quarter of a minute.
  test("patch(1) makes the one text of the other, byte for byte", { timeout: 360_000 }, () => {
    for (let seed = 1; seed <= runs(2_000, 160); seed += 1) {
      const random = createRandom(seed);
      const from = randomText(random);
      const to = random() < 0.7 ? changeText(from, random) : randomText(random);
      const { hunks } = (seed % 4 === 0 ? diffWholeLines : diffTexts)(from, to);
      const patch = hunks === "" ? "" : `--- revision-1\n+++ revision-2\n${hunks}`;
      if (patch !== "") expect([seed, applyByProgram(from, patch)]).toEqual([seed, to]);
    }
  });
} else {
  test("patch(1) is not here, and the run says so", () => expect(hasPatch).toBe(false));
}
