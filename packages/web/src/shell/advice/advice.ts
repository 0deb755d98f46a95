import type { Configuration } from '@millrace/contract';
import { readStored, writeStored } from '../../storage/storage.ts';

/** A week after the first start somebody should have thought about credentials. */
const expiryMs = 604_800_000;

/** Remembers the first start, and how long to wait from then on. */
export function rememberStart(nowMs: number): void {
  if (readStored('adviceUptime') === undefined) writeStored('adviceUptime', String(nowMs));
  if (readStored('adviceExpired') === undefined) writeStored('adviceExpired', String(expiryMs));
}

/** Whether to say that anybody who reaches this server can use it. */
export function isAdviceDue({ isBasicAuthEnabled }: Configuration, nowMs: number): boolean {
  if (isBasicAuthEnabled || readStored('adviceShow') === 'false') return false;
  return nowMs - Number(readStored('adviceUptime')) >= Number(readStored('adviceExpired'));
}

export function setAdviceShown(isShown: boolean): void {
  writeStored('adviceShow', String(isShown));
}
