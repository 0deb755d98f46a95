import { ActionIcon } from '@mantine/core';
import { IconChartBar } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readStored, writeStored } from '../../storage/storage.ts';
import { Hint } from '../Hint.tsx';

/** Whether a list shows its chart, remembered for each list. */
export function useChartMemory(list: string) {
  const [isShown, setShown] = useState(() => readStored(`chart:${list}`) !== 'false');
  return {
    isShown,
    toggle: () => {
      writeStored(`chart:${list}`, String(!isShown));
      setShown(!isShown);
    },
  };
}

export function ChartSwitch({ isShown, toggle }: ReturnType<typeof useChartMemory>) {
  const { t } = useTranslation();
  const label = t(isShown ? 'chart.hide' : 'chart.show');
  return (
    <Hint label={label}>
      <ActionIcon variant="default" size={34} onClick={toggle} aria-label={label} aria-pressed={isShown}>
        <IconChartBar size={16} stroke={1.7} />
      </ActionIcon>
    </Hint>
  );
}
