import { lazy, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import { FilterPlaceholder } from '../../../ui/index.ts';
import type { NamespaceSelectProps } from './NamespaceSelect.tsx';

const Loaded = lazy(() =>
  import('./NamespaceSelect.tsx').then((module) => ({ default: module.NamespaceSelect })),
);

/** The list comes first: the machinery of a searchable choice loads after it. */
export function NamespaceSelect(props: NamespaceSelectProps) {
  const { t } = useTranslation();
  return (
    <Suspense fallback={<FilterPlaceholder label={t('filter.namespace')} width={200} />}>
      <Loaded {...props} />
    </Suspense>
  );
}
