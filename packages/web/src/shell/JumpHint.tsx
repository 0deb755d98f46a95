import { IconSearch } from '@tabler/icons-react';
import { useTranslation } from 'react-i18next';
import { KeyHint } from '../ui/KeyHint.tsx';
import styles from './JumpHint.module.css';
import { loadPalette } from './palette/PaletteHost.tsx';
import { openPalette } from './palette/paletteState.ts';

/** The box that opens the palette. */
export function JumpHint() {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={styles.hint}
      onClick={openPalette}
      onPointerEnter={() => void loadPalette()}
    >
      <IconSearch size={15} stroke={1.8} aria-hidden="true" />
      <span className={styles.text}>{t('jump.label')}</span>
      <span className={styles.keys}>
        <KeyHint keys="mod+K" />
      </span>
    </button>
  );
}
