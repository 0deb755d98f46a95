import type { Config } from '../config/schema.ts';
import { checkClock, checkDatabase, checkStuck } from './checks/database.ts';
import { checkDisk, checkFolder } from './checks/folder.ts';
import { checkOrphans } from './checks/orphans.ts';
import { checkPorts } from './checks/ports.ts';
import { checkRuntime } from './checks/runtime.ts';
import { checkStorage } from './checks/storage.ts';

/** One thing that was looked at. `warning` works but should be seen to; `failed` does not work. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warning' | 'failed';
  readonly message: string;
}

export interface CheckParts {
  readonly config: Config;
  readonly now: number;
}

export type Check = (parts: CheckParts) => Promise<Finding[]>;

const checks: readonly [string, Check][] = [
  ['runtime', checkRuntime],
  ['data folder', checkFolder],
  ['disk space', checkDisk],
  ['database', checkDatabase],
  ['clock', checkClock],
  ['executions', checkStuck],
  ['storage', checkStorage],
  ['files', checkOrphans],
  ['ports', checkPorts],
];

/** Looks at everything a server needs, without changing anything and whether one is running or not. */
export async function examine(parts: CheckParts): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const [check, look] of checks) {
    try {
      findings.push(...(await look(parts)));
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      findings.push({ check, status: 'failed', message: `Could not be looked at: ${reason}` });
    }
  }
  return findings;
}
