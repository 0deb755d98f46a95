import { Button, NativeSelect, TextInput } from '@mantine/core';
import { type AlertChannel, alerts, channelSecrets } from '@millrace/contract';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type SyntheticEvent, useState } from 'react';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { SideDialog } from '../../ui/dialog/Dialog.tsx';
import form from '../../ui/dialog/DialogForm.module.css';
import {
  type ChannelField,
  channelDraftOf,
  channelFields,
  channelTypes,
  readChannelDraft,
} from './channelDraft.ts';
import { DeleteButton } from './DeleteButton.tsx';
import { TestButton } from './TestButton.tsx';

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
