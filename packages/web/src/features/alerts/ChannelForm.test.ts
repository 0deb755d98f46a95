import { AlertChannel } from '@millrace/contract';
import { expect, it } from 'vitest';
import { channelDraftOf, readChannelDraft } from './ChannelForm.tsx';

it.each([
  { id: 'a', type: 'slack', url: '********' },
  { id: 'a', type: 'pagerduty', routingKey: "{{ secret('PD') }}", description: 'on call' },
  { id: 'a', type: 'webhook', url: 'https://x', signingSecret: 's', authorization: 'Bearer t' },
  { id: 'a', type: 'mail', host: 'h', port: 25, transport: 'SMTP', from: 'a@b', to: ['c@d', 'e@f'] },
])('a channel survives its form: %#', (given) => {
  const channel = AlertChannel.parse(given);
  expect(readChannelDraft(channelDraftOf(channel))).toEqual({ channel });
});

it('names the fields that are wrong and leaves out those of other types', () => {
  const draft = channelDraftOf(undefined);
  const wrong = (more: object) => {
    const read = readChannelDraft({ ...draft, ...more });
    return 'wrong' in read ? [...read.wrong].sort() : read.channel;
  };
  expect(wrong({})).toEqual(['id', 'url']);
  expect(wrong({ id: 'a', type: 'mail', values: { host: 'h', port: 'x', transport: 'SMTP' } })).toEqual([
    'from',
    'port',
    'to',
  ]);
  expect(wrong({ id: 'a', values: { url: ' https://x ', host: 'h' } })).toEqual({
    id: 'a',
    type: 'slack',
    url: 'https://x',
  });
});
