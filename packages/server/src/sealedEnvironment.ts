import { closeSync, readFileSync } from 'node:fs';

const variable = 'MILLRACE_SEALED_FD';

/**
 * Takes the variables that `scripts/millrace-sealed` sent through a pipe. Variables that are set here are not in
 * `/proc/<id>/environ`, which keeps showing what the process was started with.
 */
export function unsealEnvironment(env: NodeJS.ProcessEnv): void {
  const fd = Number(env[variable]);
  delete env[variable];
  if (!Number.isInteger(fd) || fd <= 2) return;
  const sealed = readFileSync(fd, 'utf8');
  closeSync(fd);
  for (const entry of Buffer.from(sealed, 'base64').toString('utf8').split('\0')) {
    const at = entry.indexOf('=');
    if (at > 0) env[entry.slice(0, at)] = entry.slice(at + 1);
  }
}

const secretName =
  /^(SECRET_.+|MILLRACE_CONFIGURATION|MILLRACE_.*(PASSWORD|SECRET_?KEY|ACCESS_KEY|DATABASE_URL).*)$/;

/** The names of secrets that stand in the environment block of this process, where its tasks can read them. */
export function exposedSecrets(): string[] {
  let block: string;
  try {
    block = readFileSync('/proc/self/environ', 'utf8');
  } catch {
    // Only Linux has such a file.
    return [];
  }
  const names = block.split('\0').map((entry) => entry.split('=', 1)[0] ?? '');
  return names.filter((name) => secretName.test(name)).sort();
}
