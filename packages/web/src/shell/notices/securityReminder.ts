import type { Configuration } from '@millrace/contract';
import { readStored, writeStored } from '../../storage/storage.ts';

/** The reminder appears a week after the first start. */
const expiryMs = 604_800_000;

/** Remembers the first start, and how long to wait from then on. */
export function rememberStart(nowMs: number): void {
  if (readStored('reminderUptime') === undefined) writeStored('reminderUptime', String(nowMs));
  if (readStored('reminderExpired') === undefined) writeStored('reminderExpired', String(expiryMs));
}

/** Whether to remind that authentication is off. */
export function isReminderDue({ isBasicAuthEnabled }: Configuration, nowMs: number): boolean {
  if (isBasicAuthEnabled || readStored('reminderShow') === 'false') return false;
  return nowMs - Number(readStored('reminderUptime')) >= Number(readStored('reminderExpired'));
}

export function setReminderShown(isShown: boolean): void {
  writeStored('reminderShow', String(isShown));
}
