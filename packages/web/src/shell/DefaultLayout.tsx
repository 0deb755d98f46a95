import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2 } from '@tabler/icons-react';
import { Outlet, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readStored, writeStored } from '../storage/storage.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { PageChrome } from '../ui/Page.tsx';
import { SecurityAdvice } from './advice/SecurityAdvice.tsx';
import { BookmarkStar } from './bookmarks/BookmarkStar.tsx';
import { ContextBar } from './context/ContextBar.tsx';
import { ContextPanel } from './context/ContextPanel.tsx';
import { useCoreError } from './coreError.ts';
import styles from './DefaultLayout.module.css';
import { DocIdBox } from './DocIdBox.tsx';
import { ErrorPage } from './ErrorPage.tsx';
import { useEnvironment } from './environment.ts';
import { JumpHint } from './JumpHint.tsx';
import { PaletteHost } from './palette/PaletteHost.tsx';
import { QuietStart } from './quietStart/QuietStart.tsx';
import { Sidebar } from './sidebar/Sidebar.tsx';
import { TourHost } from './TourHost.tsx';

const MenuDrawer = lazy(() =>
  import('./sidebar/MenuDrawer.tsx').then((module) => ({ default: module.MenuDrawer })),
);

/** Whether a page is about one flow or one execution: of those the error page says that they are gone. */
const isOfRun = (pathname: string) => /\/(flows\/edit|executions)\//.test(pathname);

/** Sidebar and page. On a phone the sidebar is a drawer behind a button in the page's header. */
export function DefaultLayout({ withContextBar }: { withContextBar: boolean }) {
  const { t } = useTranslation();
  const { name: environment } = useEnvironment();
  const coreError = useCoreError();
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const [collapsed, setCollapsed] = useState(() => readStored('menuCollapsed') === 'true');
  const [drawerOpened, drawer] = useDisclosure(false);
  const closeDrawer = drawer.close;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the address is the reason to close, not an input.
  useEffect(closeDrawer, [pathname]);

  const toggle = () => {
    writeStored('menuCollapsed', String(!collapsed));
    setCollapsed(!collapsed);
  };

  return (
    <PageChrome
      titleSuffix={environment ? `${t('product')} - ${environment}` : t('product')}
      star={(label) => <BookmarkStar label={label} />}
      leading={
        <ActionIcon className={styles.burger} size={34} onClick={drawer.open} aria-label={t('nav.open')}>
          <IconMenu2 size={20} stroke={1.7} />
        </ActionIcon>
      }
      trailing={<JumpHint />}
    >
      <a className={styles.skip} href="#main">
        {t('nav.skip')}
      </a>
      <div className={styles.layout}>
        <div className={styles.aside}>
          <Sidebar collapsed={collapsed} onToggle={toggle} />
        </div>
        {drawerOpened && (
          <Suspense>
            <MenuDrawer onClose={closeDrawer} />
          </Suspense>
        )}
        <main id="main" className={styles.main}>
          <ErrorBoundary resetKey={pathname}>
            {coreError ? <ErrorPage code={coreError} route={!isOfRun(pathname)} /> : <Outlet />}
          </ErrorBoundary>
        </main>
        {withContextBar && (
          <>
            <ContextPanel />
            <ContextBar />
          </>
        )}
      </div>
      <DocIdBox />
      <SecurityAdvice />
      <QuietStart />
      <TourHost />
      <PaletteHost />
    </PageChrome>
  );
}
