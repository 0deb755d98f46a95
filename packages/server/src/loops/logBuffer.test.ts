import type { Op, Store } from '@millrace/store';
import { expect, test } from 'vitest';
import { silentLog } from '../testing/silentLog.ts';
import { LogBuffer } from './logBuffer.ts';

const line = (message: string) => ({
  tenantId: 'main',
  namespace: 'company.team',
  flowId: 'f',
  executionId: 'e',
  at: 0,
  level: 'INFO' as const,
  message,
});

test.each([
  ['empty lines', '', 100_000],
  ['long lines', 'x'.repeat(100_000), 200],
])(
  '[A18] whoever writes a flood of %s is asked to wait before it fills the memory',
  async (_, message, most) => {
    const written: Op[] = [];
    const commit = async (ops: readonly Op[]) => void written.push(...ops);
    // `as`: a buffer only commits.
    const buffer = new LogBuffer({ commit } as unknown as Store, silentLog);
    let lines = 1;
    let full = buffer.addLog('e', line(message));
    for (; full === undefined && lines <= most; lines++) full = buffer.addLog('e', line(message));
    expect(lines).toBeLessThan(most);
    await full;
    expect(written).toHaveLength(lines);
    expect(buffer.addLog('e', line(message))).toBeUndefined();
    await buffer.close();
  },
);
