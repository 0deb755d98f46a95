import { describe, expect, it } from 'vitest';
import { cliCommand, curlCommand, needsRealValues, webhookStarts } from './StartCommands.tsx';

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

  it('A-4.11 calls each webhook with what its inputs read, and says which inputs the trigger must set first', () => {
    const webhook = 'io.kestra.plugin.core.trigger.Webhook';
    const triggers = [
      {
        id: 'hook',
        type: webhook,
        key: 'abc',
        inputs: {
          who: '{{ trigger.body.name }}',
          token: "{{ trigger.headers['x-token'][0] }}",
          orders: '{{ trigger.body.url }}/orders',
          unset: '{{ trigger.parameters.day[0] }}',
        },
      },
      { id: 'late', type: 'core.trigger.Webhook', key: "{{ secret('KEY') }}", inputs: { token: 'x' } },
      { id: 'off', type: webhook, key: 'abc', disabled: true },
      { id: 'daily', type: 'core.trigger.Schedule', cron: '0 8 * * *' },
    ];
    const values = { who: 'Ada', unset: '2026-05-04', orders: new File(['x'], 'a.csv') };
    const [hook, late, ...others] = webhookStarts({ flow: { ...flow, triggers }, values }, 'http://here');
    expect(hook && 'command' in hook ? hook.command.split(' \\\n  ') : []).toEqual([
      expect.stringMatching(/\/executions\/webhook\/shop.orders\/nightly\/abc\?day=2026-05-04'$/),
      "-H 'content-type: application/json'",
      `-d '{"name":"Ada","url":"URL"}'`,
    ]);
    expect(late).toEqual({
      triggerId: 'late',
      missing: ['who', 'orders', 'unset'],
      example: ['who', 'orders', 'unset'].reduce(
        (text, name) => `${text}\n  ${name}: "{{ trigger.body.${name} }}"`,
        'inputs:',
      ),
    });
    expect(others).toEqual([]);
    const plain = {
      namespace: 'a',
      id: 'b',
      tasks: [],
      triggers: [{ id: 'c', type: webhook, key: '{{ x }}' }],
    };
    expect(webhookStarts({ flow: plain, values: {} }, 'http://here')).toEqual([
      { triggerId: 'c', command: expect.stringMatching(/\/webhook\/a\/b\/KEY'$/) },
    ]);
  });

  it('S2-5.17 needs no note when every value is in it', () => {
    expect(needsRealValues({ inputs: [{ id: 'who', type: 'STRING' }] })).toBe(false);
  });
});
