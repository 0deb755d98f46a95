import { access, constants, mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Check } from './check.ts';

const warnBytes = 2 * 1024 ** 3;
const failBytes = 256 * 1024 ** 2;

export const checkFolder: Check = async ({ config }) => {
  const folder = resolve(config.data);
  const about = (status: 'ok' | 'warning' | 'failed', message: string) => [
    { check: 'data folder', status, message },
  ];
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined) {
    const parent = dirname(folder);
    const canCreate = await access(parent, constants.W_OK).then(
      () => true,
      () => false,
    );
    return canCreate
      ? about('ok', `"${folder}" does not exist yet; the first start makes it.`)
      : about('failed', `"${folder}" does not exist and "${parent}" may not be written.`);
  }
  if (!found.isDirectory()) return about('failed', `"${folder}" is not a folder.`);
  try {
    await rm(await mkdtemp(join(folder, 'doctor-')), { recursive: true });
  } catch (error) {
    return about('failed', `"${folder}" may not be written: ${String(error)}`);
  }
  const isOpen = process.platform !== 'win32' && (found.mode & 0o007) !== 0;
  if (isOpen)
    return about('warning', `"${folder}" can be read by other users of this machine; chmod 700 is enough.`);
  return about('ok', `"${folder}" can be written.`);
};

export const checkDisk: Check = async ({ config }) => {
  const folder = resolve(config.data);
  const { bavail, bsize } = await statfs(folder).catch(() => statfs(dirname(folder)));
  const free = bavail * bsize;
  const status = free < failBytes ? 'failed' : free < warnBytes ? 'warning' : 'ok';
  return [{ check: 'disk space', status, message: `${(free / 1024 ** 3).toFixed(1)} GB are free.` }];
};
