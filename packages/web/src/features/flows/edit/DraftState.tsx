import { IconCloudCheck, IconCloudOff, IconCloudUp, IconDeviceDesktop } from '@tabler/icons-react';
import { useTranslation } from '../../../i18n/useTranslation.ts';
import { Hint } from '../../../ui/Hint.tsx';
import styles from './DraftState.module.css';
import type { DraftState as State } from './useServerDraft.ts';

const icons = {
  browser: IconDeviceDesktop,
  saving: IconCloudUp,
  server: IconCloudCheck,
  offline: IconCloudOff,
} as const;

/** Says where the unsaved changes are safe. */
export function DraftState({ state, isConflict }: { state: State; isConflict: boolean }) {
  const { t } = useTranslation();
  const Icon = icons[state];
  return (
    <Hint label={t(`draftState.${state}Hint`)} multiline maw={300}>
      <span className={styles.state} data-conflict={isConflict || undefined} role="status">
        <Icon size={15} stroke={1.7} aria-hidden="true" />
        <span className={styles.text}>{t(isConflict ? 'draftState.conflict' : `draftState.${state}`)}</span>
      </span>
    </Hint>
  );
}
