/** Sentences by the name of the field, parameter or argument that they are about. */
export type FieldErrors = Record<string, string[]>;

/** Notes a fault of a name that a stranger chose; set as usual, that of `__proto__` would be lost. */
export function addFault(errors: FieldErrors, name: string, sentence: string): void {
  const value = [sentence];
  Object.defineProperty(errors, name, { value, enumerable: true, writable: true, configurable: true });
}
