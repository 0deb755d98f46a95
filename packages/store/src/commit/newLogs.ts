import type { Op } from '../port/op.ts';
import type { StoredLog } from '../port/queries.ts';

interface CommittedUnit {
  readonly unit: readonly Op[];
  /** The id before that of the unit's first log entry. */
  readonly lastLogId: number;
}

/** The new log entries of each execution in a group of units. They are collected on the first call: most groups have no follower. */
export function readNewLogs(units: readonly CommittedUnit[]): (executionId: string) => readonly StoredLog[] {
  let known: Map<string, StoredLog[]> | undefined;
  return (executionId) => {
    known ??= collect(units);
    return known.get(executionId) ?? none;
  };
}

const none: readonly StoredLog[] = [];

function collect(units: readonly CommittedUnit[]): Map<string, StoredLog[]> {
  const found = new Map<string, StoredLog[]>();
  for (const { unit, lastLogId } of units) {
    let id = lastLogId;
    for (const op of unit) {
      if (op.op !== 'log.insert') continue;
      id++;
      const { executionId } = op.log;
      if (executionId === undefined) continue;
      const entries = found.get(executionId);
      if (entries) entries.push({ ...op.log, id });
      else found.set(executionId, [{ ...op.log, id }]);
    }
  }
  return found;
}
