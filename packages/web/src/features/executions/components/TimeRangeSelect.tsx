import { Select } from '@mantine/core';
import { IconClock } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';

const ranges = ['PT5M', 'PT15M', 'PT1H', 'PT12H', 'PT24H', 'PT48H', 'P7D', 'P30D', 'P365D'] as const;

interface TimeRangeSelectProps {
  value: string;
  onChange: (range: string) => void;
}

export function TimeRangeSelect({ value, onChange }: TimeRangeSelectProps) {
  const { t } = useTranslation();
  const known = ranges.map((range) => ({ value: range as string, label: t(`range.${range}`) }));
  return (
    <Select
      w={168}
      leftSection={<IconClock size={15} stroke={1.7} />}
      data={known.some((range) => range.value === value) ? known : [...known, { value, label: value }]}
      value={value}
      onChange={(next) => next && onChange(next)}
      allowDeselect={false}
      aria-label={t('filter.timeRange')}
      maxDropdownHeight={360}
    />
  );
}
