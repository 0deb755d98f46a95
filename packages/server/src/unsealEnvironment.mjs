import { closeSync, readFileSync } from 'node:fs';

const variable = 'MILLRACE_SEALED_FD';

/**
 * Reads the variables that `scripts/millrace-sealed` sent through a pipe. Variables set here do not appear in
 * `/proc/<id>/environ`, which shows only the initial environment. Written in JavaScript because `npm start`
 * needs it before anything is installed or built.
 * @param {NodeJS.ProcessEnv} env
 */
export function unsealEnvironment(env) {
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
