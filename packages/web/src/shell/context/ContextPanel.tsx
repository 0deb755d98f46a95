import { ActionIcon } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { type PointerEvent, type ReactNode, Suspense, useEffect, useState } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import styles from './ContextPanel.module.css';
import { closePanel, resizePanel, useContextState } from './contextState.ts';

const NewsPanel = lazyPart(() => import('./NewsPanel.tsx'), 'NewsPanel');
const DocsPanel = lazyPart(() => import('./DocsPanelHost.tsx'), 'DocsPanelHost');

/** The panel between the page and the context bar; nothing while no tab is open. */
export function ContextPanel() {
  const { tab } = useContextState();
  if (!tab) return null;
  return (
    <PanelFrame>
      <ErrorBoundary resetKey={tab}>
        <Suspense fallback={<Loading />}>{tab === 'news' ? <NewsPanel /> : <DocsPanel />}</Suspense>
      </ErrorBoundary>
    </PanelFrame>
  );
}

function PanelFrame({ children }: { children: ReactNode }) {
  const { t } = useTranslation();
  const { tab, widthPx } = useContextState();
  const [isDragging, setDragging] = useState(false);

  // A smaller window may leave the panel wider than half of it.
  useEffect(() => {
    const keepWithin = () => resizePanel(widthPx);
    keepWithin();
    window.addEventListener('resize', keepWithin);
    return () => window.removeEventListener('resize', keepWithin);
  }, [widthPx]);

  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!isDragging) return;
    const panel = event.currentTarget.parentElement;
    if (panel) resizePanel(panel.getBoundingClientRect().right - event.clientX);
  };
  return (
    <section
      id="context-panel"
      className={styles.panel}
      style={{ width: widthPx }}
      data-dragging={isDragging || undefined}
      aria-label={tab ? t(`context.${tab}`) : undefined}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: HTML has no element for a movable separator. */}
      <div
        className={styles.handle}
        role="separator"
        aria-orientation="vertical"
        aria-label={t('splitter')}
        aria-valuenow={Math.round(widthPx)}
        tabIndex={0}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture?.(event.pointerId);
          setDragging(true);
        }}
        onPointerMove={drag}
        onPointerUp={() => setDragging(false)}
        onPointerCancel={() => setDragging(false)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowLeft') resizePanel(widthPx + 40);
          if (event.key === 'ArrowRight') resizePanel(widthPx - 40);
        }}
      />
      <ActionIcon className={styles.close} onClick={closePanel} aria-label={t('context.close')}>
        <IconX size={16} stroke={1.8} />
      </ActionIcon>
      {children}
    </section>
  );
}
