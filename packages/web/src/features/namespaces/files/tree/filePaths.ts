import type { FileRow } from './fileRows.ts';

const relative = (path: string): string => path.replace(/^\//, '');

export const pathsText = (paths: readonly string[]): string => paths.join('\n');

/** How a flow uses the files: one is read by an expression, several and folders are listed for the task. */
export function readExpression(rows: readonly Pick<FileRow, 'path' | 'type'>[]): string {
  const [only] = rows;
  if (only && rows.length === 1 && only.type === 'File')
    return `{{ read('${relative(only.path).replaceAll("'", "\\'")}') }}`;
  const patterns = rows.map(({ path, type }) => relative(path) + (type === 'Directory' ? '/**' : ''));
  const lines = patterns.map((pattern) => `    - ${JSON.stringify(pattern)}`);
  return ['namespaceFiles:', '  enabled: true', '  include:', ...lines].join('\n');
}
