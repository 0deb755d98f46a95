import { ActionIcon, Text } from '@mantine/core';
import { namespaces, type QueryInputOf, type SecretInList } from '@millrace/contract';
import { IconCalendarDue } from '@tabler/icons-react';
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useConfiguration } from '../../shell/configuration.ts';
import { ActionDialog } from '../../ui/dialog/ActionDialog.tsx';
import { DateField } from '../../ui/fields/DateField.tsx';
import { Hint } from '../../ui/Hint.tsx';
import {
  type Column,
  CopyButton,
  DateTime,
  EmptyState,
  Page,
  ResourceList,
  useListView,
} from '../../ui/index.ts';
import styles from './SecretListPage.module.css';

export function SecretListPage() {
  const { t } = useTranslation();
  const { systemNamespace } = useConfiguration();
  return (
    <Page title={t('nav.secrets')}>
      <SecretList namespace={systemNamespace} />
    </Page>
  );
}

const noFields: never[] = [];

/** The names of the secrets that flows can read. Their values are set outside and never shown. */
export function SecretList({ namespace }: { namespace: string }) {
  const { t } = useTranslation();
  const [dated, setDated] = useState<SecretInList>();
  const view = useListView({ fields: noFields, defaultSort: 'key:asc' });
  const query = useQuery({
    queryKey: ['secrets', currentTenant(), namespace, view.query],
    queryFn: ({ signal }) =>
      call(namespaces.listSecrets, {
        params: { namespace },
        query: view.query as QueryInputOf<typeof namespaces.listSecrets>, // Built from the server's own fields.
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const columns = useMemo<Column<SecretInList>[]>(
    () => [
      {
        id: 'key',
        header: t('secret.key'),
        cell: ({ key }) => <code className={styles.key}>{key}</code>,
        identifies: true,
      },
      {
        id: 'expression',
        header: t('secret.expression'),
        cell: ({ key }) => (
          <span className={styles.expression}>
            <code>{`{{ secret('${key}') }}`}</code>
            <CopyButton value={`{{ secret('${key}') }}`} />
          </span>
        ),
      },
      {
        id: 'expiration',
        header: t('secret.expiration'),
        cell: (secret) => (
          <span className={styles.date}>
            {secret.expirationDate && (
              <span data-expired={Date.parse(secret.expirationDate) <= Date.now() || undefined}>
                <DateTime value={secret.expirationDate} />
              </span>
            )}
            <Hint label={t('secret.setExpiration')}>
              <ActionIcon
                variant="subtle"
                color="gray"
                size={26}
                aria-label={`${t('secret.setExpiration')}: ${secret.key}`}
                onClick={() => setDated(secret)}
              >
                <IconCalendarDue size={16} stroke={1.7} />
              </ActionIcon>
            </Hint>
          </span>
        ),
      },
    ],
    [t],
  );
  return (
    <>
      <p className={styles.note}>{t('secret.note')}</p>
      <ResourceList
        name="secrets"
        label={t('nav.secrets')}
        placeholder={t('secret.search')}
        view={view}
        columns={columns}
        query={query}
        rowId={({ key }) => key}
        empty={<EmptyState illustration="closedGate" title={t('secret.none')} text={t('secret.noneText')} />}
      />
      {dated && <ExpirationDialog namespace={namespace} secret={dated} onClose={() => setDated(undefined)} />}
    </>
  );
}

interface ExpirationDialogProps {
  namespace: string;
  secret: SecretInList;
  onClose: () => void;
}

/** When a secret expires is known only to users; the inbox reminds them. */
function ExpirationDialog({
  namespace,
  secret: { key, expirationDate = '' },
  onClose,
}: ExpirationDialogProps) {
  const { t } = useTranslation();
  const client = useQueryClient();
  const [date, setDate] = useState(expirationDate);
  const noting = useMutation({
    mutationFn: () =>
      call(namespaces.noteSecretExpiration, {
        params: { namespace, key },
        body: { expirationDate: date === '' ? null : date },
        failures: 'handled',
      }),
    onSuccess: () => {
      onClose();
      return Promise.all(['secrets', 'inbox'].map((name) => client.invalidateQueries({ queryKey: [name] })));
    },
  });
  return (
    <ActionDialog
      title={t('secret.expirationTitle', { key })}
      confirm={t('action.save')}
      isPending={noting.isPending}
      error={noting.error}
      onConfirm={() => noting.mutate()}
      onClose={onClose}
    >
      <Text size="sm">{t('secret.expirationText')}</Text>
      <DateField type="DATETIME" label={t('secret.expiration')} text={date} onText={setDate} data-autofocus />
    </ActionDialog>
  );
}
