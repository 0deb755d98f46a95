import { Button, NativeSelect, TextInput } from '@mantine/core';
import { AlertChannel, type AlertChannelType, alerts, channelSecrets } from '@millrace/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { SideDialog } from '../../ui/dialog/Dialog.tsx';
import form from '../../ui/dialog/DialogForm.module.css';
import { DeleteButton, TestButton } from './buttons.tsx';

interface ChannelFormProps {
  /** The channel to change; without it a new one is made. */
  channel?: AlertChannel;
  onClose: () => void;
}

const optional = new Set<string>(['port', 'username', 'password', 'signingSecret', 'authorization']);
const examples: Partial<Record<string, string>> = {
  'slack.url': 'https://hooks.slack.com/services/…',
  'discord.url': 'https://discord.com/api/webhooks/…',
  'teams.url': 'https://….logic.azure.com/workflows/…',
  'pagerduty.url': 'https://events.pagerduty.com/v2/enqueue',
  'webhook.url': 'https://example.com/alerts',
  'webhook.authorization': 'Bearer …',
  'mail.host': 'smtp.example.com',
  'mail.from': 'millrace@example.com',
  'mail.to': 'on-call@example.com, team@example.com',
};

export function ChannelForm({ channel, onClose }: ChannelFormProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [draft, setDraft] = useState(() => channelDraftOf(channel));
  const [isSent, setSent] = useState(false);
  const read = readChannelDraft(draft);
  const errorOf = (name: string) =>
    isSent && 'wrong' in read && read.wrong.has(name)
      ? t(name === 'id' ? 'alerts.problem.id' : 'alerts.problem.needed')
      : undefined;
  const setValue = (name: ChannelField, value: string) =>
    setDraft((old) => ({ ...old, values: { ...old.values, [name]: value } }));
  const saving = useMutation({
    mutationFn: (body: AlertChannel) =>
      call(alerts.saveChannel, { params: { id: body.id }, body, failures: 'handled' }),
    onSuccess: async ({ channel: { id } }) => {
      showSuccess(t('alerts.saved', { id }));
      onClose();
      await client.invalidateQueries({ queryKey: ['alerts'] });
    },
  });
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    setSent(true);
    if ('channel' in read && !saving.isPending) saving.mutate(read.channel);
  };
  return (
    <SideDialog
      onClose={onClose}
      title={channel ? t('alerts.editChannel', { id: channel.id }) : t('alerts.newChannel')}
    >
      <form className={form.form} onSubmit={submit} noValidate>
        <TextInput
          label={t('alerts.id')}
          value={draft.id}
          onChange={({ currentTarget: { value: id } }) => setDraft((old) => ({ ...old, id }))}
          disabled={channel !== undefined}
          error={errorOf('id')}
          required
          data-autofocus={channel === undefined || undefined}
        />
        <NativeSelect
          label={t('alerts.type')}
          value={draft.type}
          onChange={({ currentTarget: { value } }) => {
            const type = channelTypes.find((one) => one === value) ?? 'slack';
            setDraft((old) => ({ ...old, type }));
          }}
          data={channelTypes.map((value) => ({ value, label: t(`alerts.types.${value}`) }))}
        />
        {channelFields[draft.type].map((name) =>
          name === 'transport' ? (
            <NativeSelect
              key={name}
              label={t('alerts.channelField.transport')}
              value={draft.values.transport ?? 'SMTPS'}
              onChange={(event) => setValue('transport', event.currentTarget.value)}
              data={['SMTPS', 'SMTP_TLS', 'SMTP']}
            />
          ) : (
            <TextInput
              key={name}
              label={t(`alerts.channelField.${name}`)}
              {...(isSecret(draft.type, name) && { description: t('alerts.secretHint') })}
              placeholder={examples[`${draft.type}.${name}`] ?? ''}
              value={draft.values[name] ?? ''}
              onChange={(event) => setValue(name, event.currentTarget.value)}
              onFocus={(event) => isSecret(draft.type, name) && event.currentTarget.select()}
              error={errorOf(name)}
              required={!optional.has(name) && !(draft.type === 'pagerduty' && name === 'url')}
              autoComplete="off"
            />
          ),
        )}
        <TextInput
          label={t('flow.description')}
          value={draft.description}
          onChange={({ currentTarget: { value: description } }) =>
            setDraft((old) => ({ ...old, description }))
          }
        />
        {saving.error && (
          <p className={form.error} role="alert">
            {saving.error.message}
          </p>
        )}
        {channel && <TestButton channelId={channel.id} />}
        <div className={form.foot}>
          {channel && (
            <DeleteButton
              title={t('alerts.deleteChannel', { id: channel.id })}
              consequence={t('alerts.deleteChannelText')}
              remove={() => call(alerts.deleteChannel, { params: { id: channel.id } })}
              onDone={onClose}
            />
          )}
          <Button variant="default" onClick={onClose}>
            {t('action.cancel')}
          </Button>
          <Button type="submit" loading={saving.isPending} disabled={isSent && 'wrong' in read}>
            {t('action.save')}
          </Button>
        </div>
      </form>
    </SideDialog>
  );
}

const isSecret = (type: AlertChannel['type'], name: string): boolean => channelSecrets[type].includes(name);

/** The fields of each type of channel, in the order of the form. */
const channelFields = {
  slack: ['url'],
  mail: ['host', 'port', 'transport', 'username', 'password', 'from', 'to'],
  pagerduty: ['routingKey', 'url'],
  webhook: ['url', 'signingSecret', 'authorization'],
  teams: ['url'],
  discord: ['url'],
} as const satisfies Readonly<Record<AlertChannelType, readonly string[]>>;

const channelTypes = Object.keys(channelFields) as AlertChannelType[];
type ChannelField = (typeof channelFields)[AlertChannelType][number];

interface ChannelDraft {
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
