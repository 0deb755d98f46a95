import { Switch } from '@mantine/core';
import type { Flow } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { BrokenPart, EmptyState, Loading } from '../../../ui/index.ts';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import { dependenciesQuery } from '../queries.ts';
import styles from './FlowDependencies.module.css';

const DependencyGraph = lazyPart(() => import('../../dependencies/index.ts'), 'DependencyGraph');

const from = '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}';

/** Which flows start this one and which it starts; on demand the whole chain. */
export function FlowDependencies({ flow }: { flow: Flow }) {
  const { t } = useTranslation();
  const expandAll = useSearch({ from }).chain === 'all';
  const navigate = useNavigate({ from });
  const { data, error, refetch } = useQuery(dependenciesQuery(flow, { expandAll }));
  if (!data) return error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />;
  if (data.edges.length === 0) {
    return (
      <EmptyState illustration="dryRace" title={t('dependencies.none')} text={t('dependencies.noneOfFlow')} />
    );
  }
  const current = data.nodes.find(({ namespace, id }) => namespace === flow.namespace && id === flow.id);
  return (
    <div className={styles.dependencies}>
      <Switch
        label={t('dependencies.expandAll')}
        checked={expandAll}
        onChange={(event) => {
          const chain = event.currentTarget.checked ? ('all' as const) : undefined;
          void navigate({ search: (old) => ({ ...old, chain }), replace: true });
        }}
      />
      <DependencyGraph topology={data} currentUid={current?.uid} />
    </div>
  );
}
