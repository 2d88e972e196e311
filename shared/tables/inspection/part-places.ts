const PLACES = ["Row ", "Line ", "Item "];

/** A refusal of an appended part: where it names a place, it says whose. */
export function describePartFault(reason: string): string {
  if (!PLACES.some((place) => reason.startsWith(place))) return reason;
  return `${reason} Rows and lines are those of the file that you sent, not of the whole.`;
}
