import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Incident } from '../incident.ts';
import { composeMessage, testMessage } from '../message.ts';
import {
  discordPayload,
  mailText,
  pagerDutyPayload,
  signatureOf,
  slackPayload,
  teamsPayload,
  webhookPayload,
} from './payloads.ts';

const at = Date.parse('2026-03-02T12:00:00Z');
const incident: Incident = {
  id: 'incident1',
  key: 'k',
  ruleId: 'failures',
  condition: 'state',
  severity: 'critical',
  title: 'company.team.load is FAILED',
  recoveredTitle: 'company.team.load (was FAILED)',
  message: 'No <!channel> & no *rows*\nsecond line',
  at,
  namespace: 'company.team',
  flowId: 'load',
  taskId: 'read',
  executionId: 'e1',
  openedAt: at - 1_000,
  count: 3,
  flows: [],
  toldAt: at,
};
const message = (kind: 'opened' | 'recovered' = 'opened', more: Partial<Incident> = {}) =>
  composeMessage(
    { eventId: 'event1', kind },
    { ...incident, ...more },
    { url: 'https://mill.example/', now: at },
  );

describe('alert messages', () => {
  it('link to the execution, the flow or the inbox', () => {
    expect(message().link).toBe('https://mill.example/main/executions/company.team/load/e1');
    const { executionId: _, ...flowOnly } = incident;
    const link = (of: Incident) =>
      composeMessage({ eventId: 'e', kind: 'opened' }, of, { url: 'https://mill.example', now: at }).link;
    expect(link(flowOnly)).toBe('https://mill.example/main/flows/edit/company.team/load');
    const { namespace: __, ...nothing } = flowOnly;
    expect(link(nothing)).toBe('https://mill.example/main/inbox');
  });

  it('say that an incident has recovered before its first message was sent', () => {
    expect(message('opened', { recoveredAt: at }).title).toBe('Recovered: company.team.load (was FAILED)');
  });

  it('O-8.1 are escaped for Slack, so that they mention no channel', () => {
    const text = JSON.stringify(slackPayload(message()));
    expect(text).toContain('No &lt;!channel&gt; &amp; no *rows*');
    expect(text).toContain('"color":"#d92d20"');
    expect(JSON.stringify(slackPayload(message('recovered')))).toContain('"color":"#17803d"');
  });

  it('O-8.1 mention no user on Discord and are cards on Teams', () => {
    expect(discordPayload(message())).toMatchObject({
      allowed_mentions: { parse: [] },
      embeds: [{ title: 'company.team.load is FAILED', url: expect.stringContaining('/e1') }],
    });
    expect(JSON.stringify(teamsPayload(message()))).toContain('"type":"AdaptiveCard"');
  });

  it('O-8.1 trigger and resolve one incident of PagerDuty', () => {
    expect(pagerDutyPayload(message(), 'key')).toMatchObject({
      routing_key: 'key',
      event_action: 'trigger',
      dedup_key: 'incident1',
      payload: { severity: 'critical', component: 'load', group: 'company.team' },
    });
    const resolved = { routing_key: 'key', event_action: 'resolve', dedup_key: 'incident1' };
    expect(pagerDutyPayload(message('recovered'), 'key')).toEqual(resolved);
    expect(pagerDutyPayload(message(), 'key', 'resolve')).toEqual(resolved);
  });

  it('O-8.1 are documented JSON for other receivers, with a signature that covers the date', () => {
    expect(webhookPayload(message())).toMatchObject({
      id: 'event1',
      type: 'alert.opened',
      rule: 'failures',
      incident: { id: 'incident1', count: 3, openedAt: '2026-03-02T11:59:59.000Z' },
    });
    const stateOf = (of: ReturnType<typeof message>) => {
      const { status, severity } = webhookPayload(of) as Record<string, unknown>;
      return [status, severity];
    };
    expect(stateOf(message())).toEqual(['open', 'critical']);
    // Also when the first message waited until the incident had recovered.
    for (const of of [message('recovered'), message('opened', { recoveredAt: at })])
      expect(stateOf(of)).toEqual(['resolved', 'info']);
    expect(stateOf(testMessage('c', 'e', at))).toEqual(['test', 'info']);
    const expected = createHmac('sha256', 'k').update('17.{}').digest('hex');
    expect(signatureOf('{}', '17', 'k')).toBe(`sha256=${expected}`);
  });

  it('are plain text in mails', () => {
    expect(mailText(message())).toContain('Task: read\nExecution: e1\nEvents: 3\n');
  });
});
