import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core';
import { sessions } from '@millrace/contract';
import {
  IconBook2,
  IconBug,
  IconCalendarEvent,
  IconExternalLink,
  IconLifebuoy,
  IconLogout,
  IconMoon,
  IconNews,
  IconSun,
  IconX,
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentType, type PointerEvent, type ReactNode, Suspense, useEffect, useState } from 'react';
import { call } from '../../api/call.ts';
import { clearSignIn } from '../../api/session.ts';
import { formatAgo } from '../../format/date.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useStored } from '../../storage/storage.ts';
import { ErrorBoundary } from '../../ui/ErrorBoundary.tsx';
import { Hint } from '../../ui/Hint.tsx';
import { Loading } from '../../ui/Loading.tsx';
import { lazyPart } from '../../ui/lazyPart.tsx';
import { useConfiguration } from '../configuration.ts';
import { links } from '../links.ts';
import { mayLeaveUnsaved, suspendUnsavedGuards } from '../useUnsavedGuard.ts';
import styles from './ContextBar.module.css';
import contextPanelStyles from './ContextPanel.module.css';
import { type ContextTab, closePanel, resizePanel, toggleTab, useContextState } from './contextState.ts';
import { feedsQuery, isUnread } from './feeds.ts';

type Icon = ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>;

/** The rightmost column: panels that help beside the page, ways to people, and what runs here. */
export function ContextBar() {
  const { t } = useTranslation();
  return (
    <aside className={styles.bar} aria-label={t('context.label')}>
      <PanelButton tab="news" icon={IconNews} badge={<UnreadDot />} />
      <PanelButton tab="docs" icon={IconBook2} />
      <OutsideLink href={links.chat} icon={IconLifebuoy} label={t('context.help')} />
      <OutsideLink href={links.issues} icon={IconBug} label={t('context.issue')} />
      <OutsideLink href={links.demo} icon={IconCalendarEvent} label={t('context.demo')} />
      <div className={styles.foot}>
        <SignOut />
        <ThemeSwitch />
        <Version />
      </div>
    </aside>
  );
}

function PanelButton({ tab, icon: Icon, badge }: { tab: ContextTab; icon: Icon; badge?: ReactNode }) {
  const { t } = useTranslation();
  const isOpen = useContextState().tab === tab;
  return (
    <button
      type="button"
      className={styles.item}
      onClick={() => toggleTab(tab)}
      aria-expanded={isOpen}
      aria-controls="context-panel"
      data-open={isOpen || undefined}
    >
      <Icon size={18} stroke={1.7} aria-hidden={true} />
      <span>{t(`context.${tab}`)}</span>
      {badge}
    </button>
  );
}

function OutsideLink({ href, icon: Icon, label }: { href: string; icon: Icon; label: string }) {
  return (
    <a className={styles.item} href={href} target="_blank" rel="noopener noreferrer">
      <Icon size={18} stroke={1.7} aria-hidden={true} />
      <span>
        {label}
        <IconExternalLink className={styles.outside} size={11} stroke={1.8} aria-hidden={true} />
      </span>
    </a>
  );
}

function UnreadDot() {
  const { t } = useTranslation();
  const { data: feeds = [] } = useQuery({ ...feedsQuery(useConfiguration()), enabled: false });
  const lastSeen = useStored('feeds');
  if (!isUnread(feeds, lastSeen)) return null;
  return <span className={styles.dot} role="img" aria-label={t('context.unread')} />;
}

function Version() {
  const { i18n } = useTranslation();
  const { version, commitId, commitDate } = useConfiguration();
  const built = commitDate ? ` · ${formatAgo(commitDate, Date.now(), i18n.language)}` : '';
  return (
    <Hint label={`${commitId}${built}`} position="left" disabled={!commitId}>
      <span className={styles.version} tabIndex={commitId ? 0 : undefined}>
        {version}
      </span>
    </Hint>
  );
}

/** Only while a user is signed in. Signing out clears cached data, so that the next user does not see it. */
function SignOut() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const client = useQueryClient();
  const user = useStored('signedIn');
  if (!user) return null;
  const signOut = async () => {
    // Asked before the session ends, so that a user who stays can still save.
    if (!(await mayLeaveUnsaved())) return;
    await call(sessions.logout, {});
    clearSignIn();
    suspendUnsavedGuards();
    await navigate({ to: '/{-$tenant}/login', search: {} });
    client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'configuration' });
  };
  return (
    <Hint label={t('login.out', { user })} position="left">
      <ActionIcon size={34} onClick={() => void signOut()} aria-label={t('login.out', { user })}>
        <IconLogout size={18} stroke={1.7} />
      </ActionIcon>
    </Hint>
  );
}

function ThemeSwitch() {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const scheme = useComputedColorScheme('light');
  const next = scheme === 'dark' ? 'light' : 'dark';
  const label = t(`theme.${next}`);
  return (
    <Hint label={label}>
      <ActionIcon size={34} onClick={() => setColorScheme(next)} aria-label={label}>
        {next === 'dark' ? <IconMoon size={18} stroke={1.7} /> : <IconSun size={18} stroke={1.7} />}
      </ActionIcon>
    </Hint>
  );
}

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
      className={contextPanelStyles.panel}
      style={{ width: widthPx }}
      data-dragging={isDragging || undefined}
      aria-label={tab ? t(`context.${tab}`) : undefined}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: HTML has no element for a movable separator. */}
      <div
        className={contextPanelStyles.handle}
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
      <ActionIcon className={contextPanelStyles.close} onClick={closePanel} aria-label={t('context.close')}>
        <IconX size={16} stroke={1.8} />
      </ActionIcon>
      {children}
    </section>
  );
}
