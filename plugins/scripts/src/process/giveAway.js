import { closeSync, constants, fchownSync, fstatSync, openSync, readdirSync } from 'node:fs';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK, O_DIRECTORY } = constants;

/**
 * Changes the owner of a working folder and the server's files in it to the user of a task. Every entry is
 * opened relative to its open folder and never through a link, so that a running process cannot redirect
 * this to a file elsewhere. Entries of another user and files with a second hard link stay unchanged.
 * @param {string} folder @param {{ uid: number, gid: number }} user
 */
export function giveAway(folder, user) {
  const fd = openSync(folder, O_RDONLY | O_NOFOLLOW | O_DIRECTORY);
  try {
    give(fd, user);
  } finally {
    closeSync(fd);
  }
}

/** @param {number} fd @param {{ uid: number, gid: number }} user */
function give(fd, user) {
  const found = fstatSync(fd);
  if (found.isDirectory()) {
    for (const name of readdirSync(`/proc/self/fd/${fd}`)) giveEntry(`/proc/self/fd/${fd}/${name}`, user);
  }
  const isOurs = found.uid === process.getuid?.();
  if (isOurs && (found.isDirectory() || (found.isFile() && found.nlink === 1)))
    fchownSync(fd, user.uid, user.gid);
}

/** @param {string} path @param {{ uid: number, gid: number }} user */
function giveEntry(path, user) {
  let fd;
  try {
    fd = openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  } catch {
    // A link, a socket, or gone since it was listed.
    return;
  }
  try {
    give(fd, user);
  } finally {
    closeSync(fd);
  }
}
