/** Where a value lies in a document: property names and list positions from the root. */
export type Path = readonly (string | number)[];

const plainName = /^[^.[\]"\s]+$/;

/** `['tasks', 0, 'id']` reads `tasks[0].id`; a name that would be misread is quoted: `variables["a.b"]`. */
export function formatPath(path: Path): string {
  let text = '';
  for (const step of path) {
    if (typeof step === 'number') text += `[${step}]`;
    else if (plainName.test(step)) text += text === '' ? step : `.${step}`;
    else text += `[${JSON.stringify(step)}]`;
  }
  return text;
}

const step = /\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]|\.?([^.[\]"\s]+)/y;

/** The inverse of `formatPath`; undefined for a text that is no path. */
export function parsePath(text: string): Path | undefined {
  const path: (string | number)[] = [];
  step.lastIndex = 0;
  while (step.lastIndex < text.length) {
    const found = step.exec(text);
    if (!found) return undefined;
    if (found[1] !== undefined) path.push(Number(found[1]));
    else if (found[2] !== undefined) path.push(unquote(found[2]));
    else path.push(found[3] ?? '');
  }
  return path;
}

function unquote(text: string): string {
  try {
    return String(JSON.parse(text));
  } catch {
    return text.slice(1, -1);
  }
}

/** Joins the path of a definition and a path relative to it. */
export function joinPath(base: string, relative: string): string {
  if (base === '' || relative === '') return base + relative;
  return relative.startsWith('[') ? base + relative : `${base}.${relative}`;
}
