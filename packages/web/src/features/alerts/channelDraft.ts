import { AlertChannel, type AlertChannelType } from '@millrace/contract';

/** The fields of each type of channel, in the order of the form. */
export const channelFields = {
  slack: ['url'],
  mail: ['host', 'port', 'transport', 'username', 'password', 'from', 'to'],
  pagerduty: ['routingKey', 'url'],
  webhook: ['url', 'signingSecret', 'authorization'],
  teams: ['url'],
  discord: ['url'],
} as const satisfies Readonly<Record<AlertChannelType, readonly string[]>>;

export const channelTypes = Object.keys(channelFields) as AlertChannelType[];
export type ChannelField = (typeof channelFields)[AlertChannelType][number];

export interface ChannelDraft {
  readonly id: string;
  readonly description: string;
  readonly type: AlertChannelType;
  /** Texts of the fields, also of other types: switching back keeps them. */
  readonly values: Readonly<Partial<Record<ChannelField, string>>>;
}

export function channelDraftOf(channel: AlertChannel | undefined): ChannelDraft {
  if (!channel) return { id: '', description: '', type: 'slack', values: { transport: 'SMTPS' } };
  const { id, description = '', type, ...rest } = channel;
  const values = Object.fromEntries(
    Object.entries(rest).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : String(value),
    ]),
  );
  return { id, description, type, values };
}

/** The channel of a draft, or the names of the fields that are wrong. */
export function readChannelDraft({
  id,
  description,
  type,
  values,
}: ChannelDraft): { channel: AlertChannel } | { wrong: ReadonlySet<string> } {
  const given = channelFields[type].flatMap((name): [string, unknown][] => {
    const text = values[name]?.trim() ?? '';
    if (text === '') return [];
    if (name === 'port') return [[name, Number(text)]];
    if (name === 'to') return [[name, text.split(/[,;\s]+/).filter((one) => one !== '')]];
    return [[name, text]];
  });
  const parsed = AlertChannel.safeParse({
    id,
    type,
    ...(description === '' ? {} : { description }),
    ...Object.fromEntries(given),
  });
  if (parsed.success) return { channel: parsed.data };
  return { wrong: new Set(parsed.error.issues.map(({ path }) => String(path[0]))) };
}
