const capacity = 500;
const numbered = new Map<string, string>();

/** Turns the `?` of the shared statements into PostgreSQL's `$1`, `$2` …; no statement holds a `?` in a literal. */
export function numberPlaceholders(text: string): string {
  const known = numbered.get(text);
  if (known !== undefined) return known;
  let count = 0;
  const made = text.replace(/\?/g, () => `$${++count}`);
  if (numbered.size >= capacity) numbered.clear();
  numbered.set(text, made);
  return made;
}
