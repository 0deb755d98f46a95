import { describe, expect, it } from 'vitest';
import { cliCommand, curlCommand, needsRealValues, webhookCommands } from './startCommands.ts';

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
        /^curl -X POST 'http:\/\/here\/api\/v1(\/main)?\/executions\/shop\.orders\/nightly\?.*labels=team%3Adata.*'$/,
      ),
      `-F 'who=it'\\''s me'`,
      "-F 'token=******'",
      "-F 'files=@a.csv;filename=orders'",
    ]);
    expect(needsRealValues(flow)).toBe(true);
    const cli = cliCommand({ flow, values, labels: [{ key: 'team', value: 'data' }] }, 'http://here');
    expect(cli.split(' \\\n  ')).toEqual([
      'millrace execution run shop.orders nightly',
      "--server 'http://here'",
      `--input 'who=it'\\''s me'`,
      "--input 'token=******'",
      "--input 'orders=@a.csv'",
      "--label 'team=data'",
    ]);
  });

  it('calls each webhook of the flow; a key that is an expression is left open', () => {
    const triggers = [
      { id: 'hook', type: 'io.kestra.plugin.core.trigger.Webhook', key: 'abc' },
      { id: 'secret', type: 'core.trigger.Webhook', key: "{{ secret('KEY') }}" },
      { id: 'daily', type: 'core.trigger.Schedule', cron: '0 8 * * *' },
    ];
    expect(webhookCommands({ ...flow, triggers }, 'http://here')).toEqual([
      expect.stringMatching(
        /http:\/\/here\/api\/v1(\/main)?\/executions\/webhook\/shop.orders\/nightly\/abc'$/,
      ),
      expect.stringMatching(/\/webhook\/shop.orders\/nightly\/KEY'$/),
    ]);
  });

  it('S2-5.17 needs no note when every value is in it', () => {
    expect(needsRealValues({ inputs: [{ id: 'who', type: 'STRING' }] })).toBe(false);
  });
});
