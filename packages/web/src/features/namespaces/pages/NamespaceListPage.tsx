import { namespaces } from '@millrace/contract';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { useConfiguration } from '../../../shell/configuration.ts';
import {
  BrokenPart,
  EmptyState,
  LinkButton,
  ListFilters,
  Loading,
  NothingMatches,
  Page,
  useListView,
} from '../../../ui/index.ts';
import { NamespaceTree } from '../components/NamespaceTree.tsx';
import { namespaceTree } from '../namespaceTree.ts';
import styles from './NamespaceListPage.module.css';

const noFields: never[] = [];
const everyRow = 10_000;

export function NamespaceListPage() {
  const { t } = useTranslation();
  const { systemNamespace } = useConfiguration();
  const view = useListView({ fields: noFields, defaultSort: 'id:asc' });
  const { q } = view;
  const { data, error, refetch } = useQuery({
    queryKey: ['namespaces', currentTenant(), 'search', q],
    queryFn: ({ signal }) =>
      call(namespaces.searchNamespaces, {
        query: { q, size: everyRow, sort: 'id:asc', existing: false },
        signal,
      }),
    placeholderData: keepPreviousData,
  });
  const ids = data?.results.map(({ id }) => id) ?? [];
  return (
    <Page title={t('nav.namespaces')}>
      <ListFilters name="namespaces" view={view} placeholder={t('namespace.search')} />
      {!data && (error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />)}
      {data && ids.length === 0 && q !== undefined && <NothingMatches onClear={view.clear} />}
      {data && ids.length === 0 && q === undefined && (
        <EmptyState
          illustration="wheel"
          title={t('namespace.none')}
          text={t('namespace.noneText')}
          action={
            <LinkButton to="/{-$tenant}/flows/new" search={{}}>
              {t('flow.createFirst')}
            </LinkButton>
          }
        />
      )}
      <div className={styles.forest}>
        {namespaceTree(ids, systemNamespace).map((root) => (
          <section key={root.id} className={styles.tree} aria-label={root.id}>
            <NamespaceTree nodes={[root]} systemNamespace={systemNamespace} />
          </section>
        ))}
      </div>
    </Page>
  );
}
