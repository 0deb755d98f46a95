import { describe, expect, it } from 'vitest';
import { curlCommand, needsRealValues } from './curlCommand.ts';

const flow = {
  namespace: 'shop.orders',
  id: 'nightly',
  inputs: [
    { id: 'who', type: 'STRING' as const },
    { id: 'token', type: 'SECRET' as const },
    { id: 'orders', type: 'FILE' as const },
    { id: 'unset', type: 'STRING' as const },
  ],
};

describe('the command that starts a flow', () => {
  it('S2-5.17 holds no secret and names files, which both need real values', () => {
    const values = { who: "it's me", token: 'hunter2', orders: new File(['x'], 'a.csv') };
    const command = curlCommand({ flow, values, labels: [{ key: 'team', value: 'data' }] }, 'http://here');
    expect(command.split(' \\\n  ')).toEqual([
      expect.stringMatching(
        /^curl -X POST 'http:\/\/here\/api\/v1\/executions\/shop\.orders\/nightly\?.*labels=team%3Adata.*'$/,
      ),
      `-F 'who=it'\\''s me'`,
      "-F 'token=******'",
      "-F 'files=@a.csv;filename=orders'",
    ]);
    expect(needsRealValues(flow)).toBe(true);
  });

  it('S2-5.17 needs no note when every value is in it', () => {
    expect(needsRealValues({ inputs: [{ id: 'who', type: 'STRING' }] })).toBe(false);
  });
});
