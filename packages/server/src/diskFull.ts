/** Of the file system, its quotas and PostgreSQL. */
const codes = new Set(['ENOSPC', 'EDQUOT', '53100']);

/** Whether something could not be written for lack of space. */
export function isDiskFull(error: unknown): boolean {
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && codes.has(String(one.code))) return true;
    // The SQLite writer thread passes only the message.
    if (/database or disk is full|ENOSPC/.test(one.message)) return true;
  }
  return false;
}
