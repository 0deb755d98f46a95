import { useHotkeys } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { KeyHint } from '../ui/KeyHint.tsx';
import styles from './JumpHint.module.css';

const loadPalette = () => import('./Palette.tsx');
const Palette = lazy(() => loadPalette().then((module) => ({ default: module.Palette })));

/** The box that opens the palette. The palette itself loads when it is first wanted. */
export function JumpHint() {
  const { t } = useTranslation();
  const [openings, setOpenings] = useState(0);
  const open = () => setOpenings((count) => count + 1);
  useHotkeys([['mod+K', open]], []);
  return (
    <>
      <button type="button" className={styles.hint} onClick={open} onPointerEnter={() => void loadPalette()}>
        <IconSearch size={15} stroke={1.8} aria-hidden="true" />
        <span className={styles.text}>{t('jump.label')}</span>
        <span className={styles.keys}>
          <KeyHint keys="mod+K" />
        </span>
      </button>
      {openings > 0 && (
        <Suspense>
          <Palette openings={openings} />
        </Suspense>
      )}
    </>
  );
}
