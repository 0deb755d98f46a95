/** New names by old ones. */
export type Renames = ReadonlyMap<string, string>;

const expression = /\{[{%].*?[%}]\}/gs;

/** Renames tasks in the expressions of a text: `outputs.id`, `outputs["id"]`, `tasks.id`, `iterationOutput("id")`. */
export function renameReferences(text: string, renames: Renames): string {
  if (renames.size === 0 || !text.includes('{')) return text;
  return text.replaceAll(expression, (part) => {
    let changed = part;
    for (const [from, to] of renames) {
      const name = from.replaceAll(/[^\w]/g, '\\$&');
      const dotted = new RegExp(`(\\b(?:outputs|tasks)\\s*\\.\\s*)${name}(?![\\w-])`, 'g');
      const quoted = new RegExp(
        `((?:\\b(?:outputs|tasks)\\s*\\[|\\biterationOutput\\()\\s*["'])${name}(?=["'])`,
        'g',
      );
      const rename = (_: string, before: string) => before + to;
      changed = changed.replaceAll(dotted, rename).replaceAll(quoted, rename);
    }
    return changed;
  });
}
