import { closeSync, readFileSync } from 'node:fs';

const variable = 'MILLRACE_SEALED_FD';

/**
 * Takes the variables that `scripts/millrace-sealed` sent through a pipe. Variables that are set here are not in
 * `/proc/<id>/environ`, which keeps showing what the process was started with. In JavaScript, because `npm start` needs
 * it before anything is installed or built.
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
