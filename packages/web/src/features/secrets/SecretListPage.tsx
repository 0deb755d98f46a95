import { namespaces, type QueryInputOf } from '@millrace/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../api/call.ts';
import { currentTenant } from '../../api/tenant.ts';
import { useConfiguration } from '../../shell/configuration.ts';
import { type Column, CopyButton, EmptyState, Page, ResourceList, useListView } from '../../ui/index.ts';
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

interface Secret {
  key: string;
}

const noFields: never[] = [];

/** The names of the secrets that flows can read. Their values are set outside and never shown. */
export function SecretList({ namespace }: { namespace: string }) {
  const { t } = useTranslation();
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
  const columns = useMemo<Column<Secret>[]>(
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
    </>
  );
}
