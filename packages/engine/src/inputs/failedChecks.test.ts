import type { FlowCheck } from '@millrace/contract';
import type { Host } from '@millrace/expression';
import { describe, expect, it } from 'vitest';
import { parseFlow } from '../flow/parseFlow.ts';
import { failedChecks } from './failedChecks.ts';

const host: Host = { now: () => 0, random: () => 0.5, id: () => 'id', kv: async () => 10 };

const text = (checks: string) => `id: a
namespace: b
tasks:
  - { id: t, type: core.log.Log, message: x }
checks:
${checks}`;

async function fail(checks: string, inputs: Record<string, unknown>) {
  const { flow } = parseFlow(text(checks));
  return failedChecks(flow!, { inputs }, host);
}

describe('checks of a flow', () => {
  it('[E211] fail when their condition is not true, with the message rendered', async () => {
    const checks = `  - { condition: "{{ inputs.n < kv('limit') }}", message: "{{ inputs.n }} is too many" }
  - { condition: "{{ inputs.n > 0 }}", message: none, style: ERROR, behavior: FAIL_EXECUTION }`;
    expect(await fail(checks, { n: 5 })).toEqual([]);
    expect(await fail(checks, { n: 12 })).toEqual([
      { message: '12 is too many', style: 'INFO', behavior: 'BLOCK_EXECUTION' },
    ]);
    expect(await fail(checks, { n: -1 })).toEqual([
      { message: 'none', style: 'ERROR', behavior: 'FAIL_EXECUTION' },
    ]);
  });

  it('[E211] fail with the reason when their condition cannot be evaluated', async () => {
    const [failed] = await fail('  - { condition: "{{ inputs.missing.x }}", message: broken }', {});
    expect(failed?.message).toMatch(/^broken \(.*missing.*\)$/);
  });

  it.each<[string, string]>([
    ['  - { message: m }', 'checks[0].condition: is required'],
    ['  - { condition: c, message: m, style: LOUD }', 'checks[0].style: "LOUD" is not valid'],
    ['  - { condition: c, message: m, extra: 1 }', 'checks[0].extra: Unrecognized property'],
  ])('are refused when they are written wrong: %s', (checks, expected) => {
    const { issues } = parseFlow(text(checks));
    expect(issues.map(({ message }) => message).join('\n')).toContain(expected.split(': ')[1]);
  });

  it('keep every property of the contract', () => {
    const { flow } = parseFlow(text('  - { condition: "true", message: m }'));
    expect(flow?.checks).toEqual<FlowCheck[]>([
      { condition: 'true', message: 'm', style: 'INFO', behavior: 'BLOCK_EXECUTION' },
    ]);
  });
});
