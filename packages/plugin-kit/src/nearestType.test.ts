import { expect, test } from 'vitest';
import { nearestType } from './nearestType.ts';

const names = [
  'core.log.Log',
  'core.log.Fetch',
  'core.http.Request',
  'core.http.Download',
  'jdbc.postgresql.Query',
  'jdbc.mysql.Query',
  'slack.notifications.SlackIncomingWebhook',
];

test.each([
  ['core.log.Lgo', 'core.log.Log'],
  ['io.kestra.plugin.core.log.Logs', 'core.log.Log'],
  ['core.http.Requst', 'core.http.Request'],
  ['jdbc.postgres.Query', 'jdbc.postgresql.Query'],
  ['notifications.slack.SlackIncomingWebhook', 'slack.notifications.SlackIncomingWebhook'],
  ['no.such.Type', undefined],
  ['x', undefined],
])('for %s the nearest type is %s', (written, type) => {
  expect(nearestType(written, names)).toBe(type);
});
