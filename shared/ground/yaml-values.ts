/**
 * A value on one line, as YAML reads it: JSON is YAML, but for characters that YAML takes for ends of lines or not at
 * all, which are escaped.
 */
export function writeYamlValue(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
