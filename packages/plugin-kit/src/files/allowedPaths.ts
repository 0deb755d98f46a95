import { realpath } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve, sep } from 'node:path';
import type { TaskContext } from '../definition.ts';
import { TaskFailed } from '../failure.ts';

/**
 * The real path of a file on the worker that the administrator allows tasks to access. No file is allowed
 * unless `plugins.configurations` lists `allowedPaths` for the type or its group. Links are resolved before
 * the check.
 */
export async function toAllowedPath(
  context: Pick<TaskContext, 'configuration'>,
  path: string,
  type: string,
): Promise<string> {
  const names = [type, type.slice(0, type.lastIndexOf('.')), type.split('.')[0] ?? type];
  const allowed = [...new Set(names)].flatMap((name) => allowedPathsOf(context, name));
  if (allowed.length === 0) {
    throw new TaskFailed(
      `Files of the worker are closed to tasks, so "${path}" cannot be used: set "allowedPaths" for "${names[1]}" in "plugins.configurations" of the server.`,
      { retry: false },
    );
  }
  if (!isAbsolute(path) || path.includes('\0')) {
    throw new TaskFailed(`The path "${path}" must be absolute.`, { retry: false });
  }
  const real = await resolveLinks(resolve(path));
  for (const folder of allowed) {
    const root = await resolveLinks(resolve(folder));
    if (real === root || real.startsWith(root === sep ? sep : root + sep)) return real;
  }
  throw new TaskFailed(`The path "${path}" is not inside one of the allowed paths: ${allowed.join(', ')}.`, {
    retry: false,
  });
}

function allowedPathsOf(context: Pick<TaskContext, 'configuration'>, name: string): readonly string[] {
  return [name, `io.kestra.plugin.${name}`].flatMap((each) => {
    const { allowedPaths } = context.configuration(each);
    if (typeof allowedPaths === 'string') return allowedPaths.split(',').map((path) => path.trim());
    return Array.isArray(allowedPaths) ? allowedPaths.map(String) : [];
  });
}

/** The real path, also of a file that does not exist yet. */
async function resolveLinks(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (!isMissing || dirname(path) === path) throw error;
    return join(await resolveLinks(dirname(path)), path.slice(dirname(path).length).replace(/^[/\\]/, ''));
  }
}
