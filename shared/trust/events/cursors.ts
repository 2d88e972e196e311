const FORM = /^[0-9a-z]{1,11}-[0-9a-z]{2}$/;
const CHECKS = 1_296;

/** A position as readers keep it. */
export function toCursor(position: number): string {
  return `${position.toString(36)}-${checkOf(position)}`;
}

/** The position of a cursor; null for a text that is none. */
export function readCursor(text: string): number | null {
  if (!FORM.test(text)) return null;
  const position = Number.parseInt(text, 36);
  return Number.isSafeInteger(position) && toCursor(position) === text ? position : null;
}

/** Two digits by which a cursor that was cut or mistyped is told from one that was given out. */
function checkOf(position: number): string {
  return (position % (CHECKS - 5)).toString(36).padStart(2, "0");
}
