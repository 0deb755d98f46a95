import { useTranslation } from '../../i18n/useTranslation.ts';
import { FilterPlaceholder } from '../../ui/index.ts';
import { lazyPart } from '../../ui/lazyPart.tsx';

/** Loads after the list, because a searchable select is large. */
export const NamespaceSelect = lazyPart(
  () => import('./NamespaceSelect.tsx'),
  'NamespaceSelect',
  function NamespacePlaceholder() {
    const { t } = useTranslation();
    return <FilterPlaceholder label={t('filter.namespace')} width={200} />;
  },
);
