import { ActionIcon } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconMenu2, IconSearch, IconStar, IconStarFilled } from '@tabler/icons-react';
import { Outlet, useRouterState, useSearch } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { useTour } from '../features/tour/index.ts';
import { useTranslation } from '../i18n/useTranslation.ts';
import { readStored, writeStored } from '../storage/storage.ts';
import { afterPaint } from '../ui/afterPaint.ts';
import { ErrorBoundary } from '../ui/ErrorBoundary.tsx';
import { Hint } from '../ui/Hint.tsx';
import { KeyHint } from '../ui/KeyHint.tsx';
import { lazyPart } from '../ui/lazyPart.tsx';
import { PageChrome } from '../ui/page/Page.tsx';
import { CopyButton } from '../ui/values/Id.tsx';
import { useConfiguration, useEnvironment } from './configuration.ts';
import { ContextBar, ContextPanel } from './context/ContextBar.tsx';
import { useDocId } from './context/contextState.ts';
import styles from './DefaultLayout.module.css';
import { ErrorPage, useCoreError } from './ErrorPage.tsx';
import { isReminderDue, rememberStart } from './notices/securityReminder.ts';
import { openPalette, Palette, PaletteHost } from './palette/PaletteHost.tsx';
import { addBookmark, bookmarkPath, removeBookmark, useBookmarks } from './sidebar/bookmarks.tsx';
import { Sidebar } from './sidebar/Sidebar.tsx';

const loadBanner = () => import('./notices/MaintenanceBanner.tsx');
const MaintenanceBanner = lazyPart(loadBanner, 'MaintenanceBanner');
/** The same for a server that works: the banner only watches for a maintenance that begins later. */
const WatchingBanner = lazyPart(() => afterPaint().then(loadBanner), 'MaintenanceBanner');
const MenuDrawer = lazyPart(() => import('./sidebar/MenuDrawer.tsx'), 'MenuDrawer');

/** Whether a page is about one flow or one execution: of those the error page says that they are gone. */
const isOfRun = (pathname: string) => /\/(flows\/edit|executions)\//.test(pathname);

/** Sidebar and page. On a phone the sidebar is a drawer behind a button in the page's header. */
export function DefaultLayout({ withContextBar }: { withContextBar: boolean }) {
  const { t } = useTranslation();
  const { name: environment } = useEnvironment();
  const { maintenance } = useConfiguration();
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
        <div className={styles.content}>
          <Suspense>{maintenance?.isActive ? <MaintenanceBanner /> : <WatchingBanner />}</Suspense>
          <main id="main" className={styles.main}>
            <ErrorBoundary resetKey={pathname}>
              {coreError ? <ErrorPage code={coreError} route={!isOfRun(pathname)} /> : <Outlet />}
            </ErrorBoundary>
          </main>
          <QuietStart />
        </div>
        {withContextBar && (
          <>
            <ContextPanel />
            <ContextBar />
          </>
        )}
      </div>
      <DocIdBox />
      <SecurityReminder />
      <TourHost />
      <PaletteHost />
    </PageChrome>
  );
}

/** For those who write the documentation: `?showDocId` tells which id a page's documentation must have. */
function DocIdBox() {
  const { t } = useTranslation();
  const { showDocId } = useSearch({ strict: false });
  const docId = useDocId();
  if (!showDocId || !docId) return null;
  return (
    <div className={styles.box}>
      <span>{t('docs.id', { id: docId })}</span>
      <CopyButton value={docId} />
    </div>
  );
}

/** The box that opens the palette. */
function JumpHint() {
  const { t } = useTranslation();
  return (
    <button
      type="button"
      className={styles.hint}
      onClick={openPalette}
      onPointerEnter={() => void Palette.load()}
    >
      <IconSearch size={15} stroke={1.8} aria-hidden="true" />
      <span className={styles.text}>{t('jump.label')}</span>
      <span className={styles.keys}>
        <KeyHint keys="mod+K" />
      </span>
    </button>
  );
}

const Tour = lazyPart(() => import('../features/tour/Tour.tsx'), 'Tour');

/** The tour loads when it starts; most visits never see it. */
function TourHost() {
  const isRunning = useTour().index >= 0;
  if (!isRunning) return null;
  return (
    <Suspense>
      <Tour />
    </Suspense>
  );
}

const Dialog = lazyPart(() => import('./notices/SecurityReminderDialog.tsx'), 'SecurityReminderDialog');

/** Looked at once a start; the dialog loads only when it is due. */
function SecurityReminder() {
  const configuration = useConfiguration();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    rememberStart(Date.now());
    setOpen(isReminderDue(configuration, Date.now()));
  }, [configuration]);
  if (!isOpen) return null;
  return (
    <Suspense>
      <Dialog onClose={() => setOpen(false)} />
    </Suspense>
  );
}

const Note = lazyPart(() => import('./notices/QuietStartNote.tsx'), 'QuietStartNote');

/** Loads only on a server that was started quietly and waits. */
function QuietStart() {
  const { isQuietStart } = useConfiguration();
  if (!isQuietStart) return null;
  return (
    <Suspense>
      <Note />
    </Suspense>
  );
}

/** Beside the title of every page: keeps the page, with its filters, in the sidebar. */
function BookmarkStar({ label }: { label: string }) {
  const { t } = useTranslation();
  const path = useRouterState({ select: (state) => bookmarkPath(state.location) });
  const isMarked = useBookmarks().some((bookmark) => bookmark.path === path);
  const action = t(isMarked ? 'bookmark.remove' : 'bookmark.add');
  return (
    <Hint label={action}>
      <ActionIcon
        className={styles.star}
        size={26}
        onClick={() => (isMarked ? removeBookmark(path) : addBookmark({ path, label }))}
        aria-label={action}
        aria-pressed={isMarked}
      >
        {isMarked ? <IconStarFilled size={15} /> : <IconStar size={15} stroke={1.7} />}
      </ActionIcon>
    </Hint>
  );
}
