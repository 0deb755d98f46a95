import { closeSync, readFileSync } from 'node:fs';

/**
 * Takes the variables that `scripts/millrace-sealed` sent through a pipe, because installing and building need them.
 * The server has the same function for a start without this script: it cannot import from here.
 */
export function unsealEnvironment() {
  const fd = Number(process.env.MILLRACE_SEALED_FD);
  delete process.env.MILLRACE_SEALED_FD;
  if (!Number.isInteger(fd) || fd <= 2) return;
  const sealed = readFileSync(fd, 'utf8');
  closeSync(fd);
  for (const entry of Buffer.from(sealed, 'base64').toString('utf8').split('\0')) {
    const at = entry.indexOf('=');
    if (at > 0) process.env[entry.slice(0, at)] = entry.slice(at + 1);
  }
}
