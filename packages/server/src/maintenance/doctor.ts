import { StartError } from '../startError.ts';
import type { Check, CheckParts, Finding } from './checks/check.ts';
import { checkClock, checkDatabase, checkDocuments, checkStuck } from './checks/database.ts';
import { checkDisk, checkFolder } from './checks/folder.ts';
import { checkOrphans } from './checks/orphans.ts';
import { checkPorts } from './checks/ports.ts';
import { checkRuntime } from './checks/runtime.ts';
import { checkStorage } from './checks/storage.ts';
import { checkWriteAheadLog } from './checks/writeAheadLog.ts';
import { isDamage } from './damagedDatabase.ts';

const checks: readonly [string, Check][] = [
  ['runtime', checkRuntime],
  ['data folder', checkFolder],
  ['disk space', checkDisk],
  ['write-ahead log', checkWriteAheadLog],
  ['database', checkDatabase],
  ['documents', checkDocuments],
  ['clock', checkClock],
  ['executions', checkStuck],
  ['storage', checkStorage],
  ['files', checkOrphans],
  ['ports', checkPorts],
];

/** Checks everything a server needs, without changes, whether or not a server is running. */
export async function examine(parts: CheckParts): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, run] of checks) {
    try {
      findings.push(...(await run(parts)));
    } catch (error) {
      findings.push({ check, status: 'failed', message: describe(check, error) });
    }
  }
  return findings;
}

/** The database check reports the problem; the other checks only report that they could not read it. */
function describe(check: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : String(error);
  if (check === 'database' && error instanceof StartError) return reason;
  return isDamage(error)
    ? 'Not checked because the database cannot be read.'
    : `Could not be looked at: ${reason}`;
}
