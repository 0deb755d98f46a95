import { AppError } from '@millrace/contract';
import { ConfigError } from '../config/load.ts';
import { isDiskFull } from '../diskFull.ts';
import { StartError } from '../startError.ts';
import { CommandFailure, UsageError } from './command.ts';

const unreachable = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EAI_AGAIN',
]);
const unwritable = new Set(['EACCES', 'EROFS', 'EPERM']);

/** One sentence for errors that a user can fix; all others are bugs and show their stack. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return `Millrace could not start: ${String(error)}`;
  const isExpected = [UsageError, CommandFailure, ConfigError, StartError, AppError].some(
    (type) => error instanceof type,
  );
  if (isExpected) return error.message;
  const code = 'code' in error ? String(error.code) : '';
  const path = 'path' in error ? String(error.path) : '';
  if (unwritable.has(code))
    return `The data folder cannot be written (${path}); choose another one with --data.`;
  if (code === 'ENOTDIR' || code === 'EEXIST') return `The data folder cannot be made: ${path} is a file.`;
  if (isDiskFull(error)) return 'There is no space left on the disk of the data folder.';
  if (unreachable.has(code)) return `The database cannot be reached (${code}).`;
  // Codes of PostgreSQL: wrong credentials, no such database.
  if (/^(28|3D)\w{3}$/.test(code)) return `The database refuses the connection: ${error.message}.`;
  return `Millrace could not start. ${error.stack ?? error.message}`;
}
