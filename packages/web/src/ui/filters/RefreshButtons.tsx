import { ActionIcon } from '@mantine/core';
import { IconPlayerPause, IconPlayerPlay, IconRefresh } from '@tabler/icons-react';
import { useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { readStored, writeStored } from '../../storage/storage.ts';
import { Hint } from '../Hint.tsx';
import type { ListView } from '../list/useListView.ts';

/** Whether lists refresh themselves: one choice for all of them, remembered. */
export function useAutoRefresh() {
  const [on, setOn] = useState(() => readStored('autoRefresh') !== '0');
  return {
    on,
    toggle: () => {
      writeStored('autoRefresh', on ? '0' : '1');
      setOn(!on);
    },
  };
}

interface RefreshButtonsProps {
  /** Given for what can refresh itself. */
  auto?: { on: boolean; toggle: () => void } | undefined;
  onRefresh: () => void;
}

export function RefreshButtons({ auto, onRefresh }: RefreshButtonsProps) {
  const { t } = useTranslation();
  const label = t(auto?.on ? 'refresh.stop' : 'refresh.start');
  return (
    <ActionIcon.Group>
      {auto && (
        <Hint label={label}>
          <ActionIcon
            variant="default"
            size={34}
            onClick={auto.toggle}
            aria-label={label}
            aria-pressed={auto.on}
          >
            {auto.on ? <IconPlayerPause size={16} stroke={1.7} /> : <IconPlayerPlay size={16} stroke={1.7} />}
          </ActionIcon>
        </Hint>
      )}
      <Hint label={t('refresh.now')}>
        <ActionIcon variant="default" size={34} onClick={onRefresh} aria-label={t('refresh.now')}>
          <IconRefresh size={16} stroke={1.7} />
        </ActionIcon>
      </Hint>
    </ActionIcon.Group>
  );
}

export interface Live {
  /** Whether the list looks again by itself. */
  readonly isOn: boolean;
  /** The switch for it; none while it would do nothing. */
  readonly auto: ReturnType<typeof useAutoRefresh> | undefined;
}

/** How often a list looks again when nothing on it is known to move. */
export const refreshMs = 10_000;

/** Whether a list refreshes itself: as the user wishes, but what lies between two dates does not change by itself. */
export function useLive({ range }: Pick<ListView, 'range'>): Live {
  const auto = useAutoRefresh();
  const canChange = range?.kind !== 'absolute';
  return { isOn: auto.on && canChange, auto: canChange ? auto : undefined };
}
