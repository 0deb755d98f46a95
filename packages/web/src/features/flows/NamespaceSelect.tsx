import { Select } from '@mantine/core';
import { IconFolder } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { namespacesQuery, withParents } from './queries.ts';

export interface NamespaceSelectProps {
  value: string | undefined;
  onChange: (namespace: string | undefined) => void;
}

/** Offers every namespace that holds flows, and each of their parents: choosing a parent includes its children. */
export function NamespaceSelect({ value, onChange }: NamespaceSelectProps) {
  const { t } = useTranslation();
  const { data = [] } = useQuery(namespacesQuery());
  const options = [...new Set([...data, ...(value ? [value] : [])].flatMap(withParents))].sort();
  return (
    <Select
      w={200}
      placeholder={t('filter.namespace')}
      aria-label={t('filter.namespace')}
      leftSection={<IconFolder size={15} stroke={1.7} />}
      data={options}
      value={value ?? null}
      onChange={(next) => onChange(next ?? undefined)}
      searchable
      clearable
      nothingFoundMessage={t('filter.nothing')}
      maxDropdownHeight={320}
    />
  );
}
