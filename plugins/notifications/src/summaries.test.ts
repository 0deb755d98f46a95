import type { TaskDefinition } from '@millrace/plugin-kit';
import { runType } from '@millrace/plugin-kit/testing';
import { describe, expect, test } from 'vitest';
import { discordExecution } from './discord/discord.ts';
import { googleChatExecution } from './googleChat/googleChat.ts';
import { opsgenieExecution } from './opsgenie/opsgenie.ts';
import { pagerDutyExecution } from './pagerduty/pagerduty.ts';
import { slackExecution } from './slack/webhooks.ts';
import { squadcastExecution } from './squadcast/squadcast.ts';
import { teamsExecution } from './teams/teams.ts';
import { aNotifyingContext, failedExecution, startReceiver } from './testing/receiver.ts';
import { zendutyExecution } from './zenduty/zenduty.ts';
import { zulipExecution } from './zulip/zulip.ts';

const link = failedExecution.link!;
const title = '[company.team] orders ➛ FAILED';

interface Given {
  readonly properties?: Record<string, unknown>;
  readonly facts?: Partial<typeof failedExecution>;
}

/** Runs the task against a receiver and returns the message that arrived. */
async function messageOf(task: TaskDefinition, { properties = {}, facts = {} }: Given = {}) {
  const { url, received } = await startReceiver();
  await runType(task, { url: `${url}/hook`, ...properties }, aNotifyingContext({ facts }));
  expect(received).toHaveLength(1);
  // biome-ignore lint/suspicious/noExplicitAny: messages of ten services
  return received[0]!.body as any;
}

const custom = {
  customMessage: 'Please have a <look>',
  customFields: { Environment: 'production', Rows: 3, Tags: ['a', 'b'] },
};

describe('every service', () => {
  const services: [TaskDefinition, Record<string, unknown>][] = [
    [slackExecution, {}],
    [discordExecution, {}],
    [teamsExecution, {}],
    [googleChatExecution, {}],
    [pagerDutyExecution, { routingKey: 'key' }],
    [opsgenieExecution, { authorizationToken: 'key' }],
    [zulipExecution, {}],
    [zendutyExecution, {}],
    [squadcastExecution, { message: 'Failed' }],
  ];
  test.each(services.map(([task, more]) => [task.type, task, more] as const))(
    '%s gets the state, the failed task, the duration, the link and the custom fields',
    async (_, task, more) => {
      const text = JSON.stringify(await messageOf(task, { properties: { ...custom, ...more } }));
      for (const fact of [
        'FAILED',
        'orders',
        'company.team',
        failedExecution.id,
        'load',
        '00:01:05.250',
        link,
        'production',
        'look',
      ])
        expect(text, fact).toContain(fact);
    },
  );

  test.each(services.map(([task, more]) => [task.type, task, more] as const))(
    '%s gets a message without a link when the server does not know its address',
    async (_, task, more) => {
      const { link: _link, ...facts } = failedExecution;
      const { url, received } = await startReceiver();
      const context = aNotifyingContext();
      const actions = { ...context.actions, findExecution: async () => facts };
      await runType(task, { url, ...more }, Object.assign(context, { actions }));
      expect(received[0]?.text).not.toContain('undefined');
      expect(received[0]?.text).not.toContain('https://millrace');
    },
  );

  test.each(services.map(([task, more]) => [task.type, task, more] as const))(
    '%s lets the keys of `payload` win',
    async (_, task, more) => {
      const message = await messageOf(task, { properties: { ...more, payload: '{"own": {"a": 1}}' } });
      expect(message.own).toEqual({ a: 1 });
      expect(Object.keys(message).length).toBeGreaterThan(1);
    },
  );
});

describe('Slack', () => {
  test('shows a headline with a button, and the facts beside a bar in the color of the state', async () => {
    const message = await messageOf(slackExecution, { properties: custom });
    expect(message.text).toBe(
      `*<${link}|[company.team] orders ➛ FAILED>* Failed on task \`load\` after 00:01:05.250`,
    );
    const [note, main] = message.blocks;
    expect(note).toEqual({ type: 'section', text: { type: 'mrkdwn', text: custom.customMessage } });
    expect(main.accessory).toMatchObject({
      type: 'button',
      url: link,
      text: { type: 'plain_text', text: 'Details' },
    });
    expect(message.attachments[0]).toMatchObject({ color: 'danger' });
    const fields = message.attachments[0].fields.map((field: { title: string; value: string }) => [
      field.title,
      field.value,
    ]);
    expect(fields).toEqual([
      ['Namespace', 'company.team'],
      ['Flow ID', 'orders'],
      ['Execution ID', failedExecution.id],
      ['Execution Status', 'FAILED'],
      ['Failed task ID', 'load'],
      ['Final task ID', 'alert'],
      ['Environment', 'production'],
      ['Rows', '3'],
      ['Tags', '["a","b"]'],
    ]);
  });

  test('stays within the limits of blocks and escapes the signs of its markup', async () => {
    const message = await messageOf(slackExecution, {
      properties: { customMessage: 'x'.repeat(5000), customFields: { Error: `<b> & ${'y'.repeat(5000)}` } },
    });
    expect(message.blocks[0].text.text).toHaveLength(3000);
    const error = message.attachments[0].fields.at(-1);
    expect(error.value).toMatch(/^&lt;b&gt; &amp; yyy/);
    expect(error.value.length).toBeLessThanOrEqual(2000);
    expect(error.short).toBe(false);
  });

  test.each([
    ['SUCCESS', 'good', 'Succeeded after'],
    ['WARNING', 'warning', 'Ended with a warning after'],
    ['KILLED', 'danger', 'Failed'],
    ['RUNNING', '#3b5bdb', 'Running after'],
  ] as const)('of %s is %s', async (state, color, words) => {
    const message = await messageOf(slackExecution, { facts: { state } });
    expect(message.attachments[0].color).toBe(color);
    expect(message.text).toContain(words);
  });

  test('takes the look of older integrations', async () => {
    const message = await messageOf(slackExecution, {
      properties: {
        channel: '#general',
        username: 'Bot',
        iconUrl: 'https://example.com/i.png',
        iconEmoji: ':rocket:',
      },
    });
    expect(message).toMatchObject({
      channel: '#general',
      username: 'Bot',
      icon_url: 'https://example.com/i.png',
      icon_emoji: ':rocket:',
    });
  });
});

describe('Discord', () => {
  test('shows an embed with inline fields', async () => {
    const message = await messageOf(discordExecution, {
      properties: { ...custom, username: 'Millrace', avatarUrl: 'https://e.com/a.png' },
    });
    expect(message).toMatchObject({
      username: 'Millrace',
      avatar_url: 'https://e.com/a.png',
      tts: false,
      content: custom.customMessage,
    });
    expect(message.embeds[0]).toMatchObject({
      title,
      url: link,
      color: 0xc0362c,
      timestamp: failedExecution.startDate,
    });
    expect(message.embeds[0].fields).toContainEqual({
      name: 'Environment',
      value: 'production',
      inline: true,
    });
  });

  test('merges the first embed of the flow into the report and appends the others', async () => {
    const message = await messageOf(discordExecution, {
      properties: {
        embedList: [
          { color: [255, 0, 1], footer: 'mine', thumbnail: 'https://e.com/t.png' },
          { title: 'second', authorName: 'Ada', websiteUrl: 'https://e.com' },
        ],
      },
    });
    expect(message.embeds[0]).toMatchObject({
      title,
      color: 0xff0001,
      footer: { text: 'mine' },
      thumbnail: { url: 'https://e.com/t.png' },
    });
    expect(message.embeds[1]).toEqual({ title: 'second', author: { name: 'Ada' }, url: 'https://e.com' });
  });

  test('stays within its limits', async () => {
    const customFields = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`n${index}`, 'v'.repeat(2000)]),
    );
    const message = await messageOf(discordExecution, {
      properties: { customFields, customMessage: 'm'.repeat(3000) },
    });
    expect(message.content).toHaveLength(2000);
    expect(message.embeds[0].fields).toHaveLength(25);
    for (const { value } of message.embeds[0].fields) expect(value.length).toBeLessThanOrEqual(1024);
    expect(JSON.stringify(message.embeds).length).toBeLessThanOrEqual(30_000);
  });

  test('never sends an empty field, which the service refuses', async () => {
    const message = await messageOf(discordExecution, { properties: { customFields: { Empty: '' } } });
    expect(message.embeds[0].fields.at(-1).value).toBe('–');
  });
});

describe('Microsoft Teams', () => {
  test('gets an adaptive card from a workflow webhook', async () => {
    const message = await messageOf(teamsExecution, {
      properties: { ...custom, activityTitle: 'Load failed' },
    });
    const { contentType, content } = message.attachments[0];
    expect(contentType).toBe('application/vnd.microsoft.card.adaptive');
    expect(content).toMatchObject({
      type: 'AdaptiveCard',
      version: '1.4',
      actions: [{ type: 'Action.OpenUrl', url: link }],
    });
    expect(content.body[0]).toMatchObject({
      type: 'Container',
      style: 'attention',
      items: [{ text: 'Load failed' }, {}],
    });
    expect(content.body.at(-1).facts).toContainEqual({ title: 'Environment', value: 'production' });
    expect(Buffer.byteLength(JSON.stringify(message))).toBeLessThan(28 * 1024);
  });

  test('gets a message card at the address of an older connector', async () => {
    const { url, received } = await startReceiver();
    const connector = 'https://company.webhook.office.com';
    await runType(
      teamsExecution,
      { url: `${connector}/webhookb2/x`, activityTitle: 'Load failed', ...custom },
      aNotifyingContext({ redirect: { from: connector, to: url } }),
    );
    expect(received[0]?.body).toMatchObject({
      '@type': 'MessageCard',
      themeColor: '0076D7',
      summary: title,
      sections: [
        {
          activityTitle: 'Load failed',
          facts: expect.arrayContaining([{ name: 'Final task ID', value: 'alert' }]),
        },
      ],
      potentialAction: [{ '@type': 'OpenUri', targets: [{ os: 'default', uri: link }] }],
    });
  });
});

test('Google Chat gets text with links, cut to what it takes, or the text of the flow', async () => {
  const { text } = await messageOf(googleChatExecution, {
    properties: { customFields: { Long: 'x'.repeat(9000) } },
  });
  expect(text).toContain(`❌ *${title}*`);
  expect(text.length).toBeLessThanOrEqual(4096);
  expect(await messageOf(googleChatExecution, { properties: { text: 'mine' } })).toEqual({ text: 'mine' });
});

describe('PagerDuty', () => {
  test('opens an incident with everything that the service requires', async () => {
    const message = await messageOf(pagerDutyExecution, {
      properties: { routingKey: 'R1', customFields: { A: 'b' } },
    });
    expect(message).toMatchObject({
      routing_key: 'R1',
      event_action: 'trigger',
      payload: {
        severity: 'error',
        source: `company.team ${failedExecution.id}`,
        custom_details: { A: 'b', 'Flow ID': 'orders' },
      },
      links: [{ href: link, text: 'View execution' }],
    });
    expect(message.payload.summary.length).toBeLessThanOrEqual(1024);
    expect(message).not.toHaveProperty('dedup_key');
  });

  test.each([
    [{ deduplicationKey: 'd' }, 'acknowledge', 'd'],
    [{ deduplicationKey: 'd', eventAction: 'RESOLVE' }, 'resolve', 'd'],
    [{ eventAction: 'trigger', payloadSummary: 'mine' }, 'trigger', undefined],
  ])('%j is the action %s', async (properties, action, key) => {
    const message = await messageOf(pagerDutyExecution, { properties });
    expect(message.event_action).toBe(action);
    expect(message.dedup_key).toBe(key);
  });
});

test('Opsgenie gets an alert within its limits, with the key in a header', async () => {
  const { url, received } = await startReceiver(() => ({ status: 202 }));
  const properties = {
    authorizationToken: '0123-4567-89ab',
    message: 'm'.repeat(500),
    alias: 'orders',
    responders: { team1: 'team' },
    visibleTo: { ada: 'user' },
    tags: ['a', 'b'],
    priority: 'P2',
  };
  await runType(opsgenieExecution, { url, ...properties }, aNotifyingContext());
  const { headers, body } = received[0]!;
  expect(headers.authorization).toBe('GenieKey 0123-4567-89ab');
  expect(body).toMatchObject({
    alias: 'orders',
    responders: [{ id: 'team1', type: 'team' }],
    visibleTo: [{ id: 'ada', type: 'user' }],
    tags: ['a', 'b'],
    priority: 'P2',
    details: { 'Flow ID': 'orders', Link: link },
  });
  expect(String(body.message)).toHaveLength(130);
});

test('Zenduty resolves the alert of an execution that succeeded', async () => {
  const message = await messageOf(zendutyExecution, {
    facts: { state: 'SUCCESS' },
    properties: { urls: ['https://e.com', '{"link_url": "https://f.com", "link_text": "F"}'] },
  });
  expect(message).toMatchObject({
    alert_type: 'resolved',
    entity_id: failedExecution.id,
    payload: { 'Flow ID': 'orders' },
  });
  expect(message.urls).toEqual([
    { link_url: link, link_text: 'View execution' },
    { link_url: 'https://e.com', link_text: 'https://e.com' },
    { link_url: 'https://f.com', link_text: 'F' },
  ]);
});

test('Squadcast gets the title, priority, status and tags of the flow', async () => {
  const properties = {
    message: 'Load failed',
    priority: 'P1',
    status: 'Trigger',
    eventId: 'e',
    tags: { team: 'data' },
  };
  expect(await messageOf(squadcastExecution, { properties })).toMatchObject({
    message: 'Load failed',
    priority: 'P1',
    status: 'trigger',
    event_id: 'e',
    tags: { team: 'data' },
  });
});
