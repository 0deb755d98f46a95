import { ActionIcon, Button, Select, TextInput } from '@mantine/core';
import { tokens } from '@millrace/contract';
import { IconPlus, IconTrash } from '@tabler/icons-react';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { showSuccess } from '../../shell/toasts.ts';
import { ActionDialog } from '../../ui/dialog/ActionDialog.tsx';
import { Dialog } from '../../ui/dialog/Dialog.tsx';
import form from '../../ui/dialog/DialogForm.module.css';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Hint } from '../../ui/Hint.tsx';
import { CopyButton, confirm, DateAgo, DateTime } from '../../ui/index.ts';
import { SettingsSection } from './SettingsSection.tsx';
import styles from './TokensSection.module.css';

const queryKey = ['apiTokens'];
const dayMs = 86_400_000;

/** The tokens that programs sign in with, kept on the server. */
export function TokensSection() {
  const { t } = useTranslation();
  const [isCreating, setCreating] = useState(false);
  // A list that cannot be read must not replace the page, which may hold unsaved changes.
  const { data, error } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(tokens.listTokens, { signal, failures: 'handled' }),
  });
  return (
    <SettingsSection title={t('token.title')} note={t('token.note')}>
      <div className={styles.tokens}>
        {error && (
          <p className={styles.none} role="alert">
            {error.message}
          </p>
        )}
        {data && data.results.length === 0 && <p className={styles.none}>{t('token.none')}</p>}
        {data && data.results.length > 0 && (
          <ul className={styles.list} aria-label={t('token.title')}>
            {data.results.map((token) => (
              <TokenRow key={token.id} token={token} />
            ))}
          </ul>
        )}
        <Button
          variant="default"
          leftSection={<IconPlus size={16} stroke={1.7} />}
          onClick={() => setCreating(true)}
        >
          {t('token.create')}
        </Button>
      </div>
      {isCreating && <NewTokenDialog onClose={() => setCreating(false)} />}
    </SettingsSection>
  );
}

function TokenRow({ token }: { token: tokens.ApiToken }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const revocation = useMutation({
    mutationFn: () => call(tokens.revokeToken, { params: { tokenId: token.id } }),
    onSuccess: () => {
      showSuccess(t('token.revoked', { name: token.name }));
      return client.invalidateQueries({ queryKey });
    },
  });
  const revoke = async () => {
    const agreed = await confirm({
      title: t('token.revokeTitle', { name: token.name }),
      body: t('token.revokeText'),
      confirm: t('token.revoke'),
      cancel: t('action.cancel'),
      dangerous: true,
    });
    if (agreed) revocation.mutate();
  };
  const { name, createdAt, expiresAt, lastUsedAt } = token;
  const left = expiresAt === undefined ? Number.POSITIVE_INFINITY : Date.parse(expiresAt) - Date.now();
  return (
    <li>
      <div className={styles.name}>
        <strong>{name}</strong>
        <small>
          {t('token.created')} <DateAgo value={createdAt} /> ·{' '}
          {lastUsedAt ? (
            <>
              {t('token.used')} <DateAgo value={lastUsedAt} />
            </>
          ) : (
            t('token.unused')
          )}
        </small>
      </div>
      <span
        className={styles.expiry}
        data-state={left <= 0 ? 'expired' : left < 14 * dayMs ? 'soon' : 'good'}
      >
        {expiresAt === undefined ? (
          t('token.endless')
        ) : (
          <>
            {t(left <= 0 ? 'token.expired' : 'token.expires')} <DateTime value={expiresAt} />
          </>
        )}
      </span>
      <Hint label={t('token.revoke')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          aria-label={`${t('token.revoke')}: ${name}`}
          loading={revocation.isPending}
          onClick={() => void revoke()}
        >
          <IconTrash size={16} stroke={1.7} />
        </ActionIcon>
      </Hint>
    </li>
  );
}

const lives = ['30', '90', '365', 'date', 'never'] as const;

/** Creates a token, and shows it: it cannot be shown again. */
function NewTokenDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [life, setLife] = useState<string>('90');
  const [date, setDate] = useState('');
  const creation = useMutation({
    mutationFn: () =>
      call(tokens.createToken, {
        body: { name: name.trim(), ...expiryOf(life, date) },
        failures: 'handled',
      }),
    onSuccess: () => client.invalidateQueries({ queryKey }),
  });
  if (creation.data)
    return (
      // A click beside the dialog must not lose the token.
      <Dialog
        onClose={onClose}
        closeOnClickOutside={false}
        title={t('token.createdTitle', { name: creation.data.name })}
      >
        <div className={form.form}>
          <p className={styles.once}>{t('token.once')}</p>
          <p className={styles.secret}>
            <code>{creation.data.token}</code>
            <CopyButton value={creation.data.token} />
          </p>
          <pre
            className={styles.example}
          >{`curl -H "Authorization: Bearer $TOKEN" ${window.location.origin}/api/v1/…`}</pre>
          <div className={form.foot}>
            <Button onClick={onClose}>{t('token.done')}</Button>
          </div>
        </div>
      </Dialog>
    );
  return (
    <ActionDialog
      title={t('token.create')}
      confirm={t('token.create')}
      canConfirm={name.trim() !== '' && (life !== 'date' || date !== '')}
      isPending={creation.isPending}
      error={creation.error}
      onConfirm={() => creation.mutate()}
      onClose={onClose}
    >
      <TextInput
        label={t('token.name')}
        description={t('token.nameHint')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        maxLength={tokens.maxTokenNameLength}
        data-autofocus
        required
      />
      <Select
        label={t('token.life')}
        data={lives.map((value) => ({
          value,
          label:
            value === 'date' || value === 'never'
              ? t(`token.lives.${value}`)
              : t('token.lives.days', { count: Number(value) }),
        }))}
        value={life}
        onChange={(next) => next !== null && setLife(next)}
        allowDeselect={false}
      />
      {life === 'date' && (
        <DateField type="DATETIME" label={t('token.date')} text={date} onText={setDate} required />
      )}
    </ActionDialog>
  );
}

function expiryOf(life: string, date: string): { expiresAt?: string } {
  if (life === 'never') return {};
  return { expiresAt: life === 'date' ? date : new Date(Date.now() + Number(life) * dayMs).toISOString() };
}
