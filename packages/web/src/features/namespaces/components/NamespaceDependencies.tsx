import { namespaces } from '@millrace/contract';
import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { useTranslation } from 'react-i18next';
import { call } from '../../../api/call.ts';
import { currentTenant } from '../../../api/tenant.ts';
import { BrokenPart, EmptyState, Loading } from '../../../ui/index.ts';

const DependencyGraph = lazy(() =>
  import('../../dependencies/index.ts').then((module) => ({ default: module.DependencyGraph })),
);

/** Which flows of a namespace start each other, and others. */
export function NamespaceDependencies({ namespace }: { namespace: string }) {
  const { t } = useTranslation();
  const { data, error, refetch } = useQuery({
    queryKey: ['dependencies', currentTenant(), namespace],
    queryFn: ({ signal }) => call(namespaces.getNamespaceDependencies, { params: { namespace }, signal }),
  });
  if (!data) return error ? <BrokenPart error={error} onRetry={() => void refetch()} /> : <Loading />;
  if (data.edges.length === 0) {
    return (
      <EmptyState illustration="dryRace" title={t('dependencies.none')} text={t('dependencies.noneText')} />
    );
  }
  return <DependencyGraph topology={data} />;
}
