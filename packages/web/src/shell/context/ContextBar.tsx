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
} from '@tabler/icons-react';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ComponentType, ReactNode } from 'react';
import { call } from '../../api/call.ts';
import { clearSignIn } from '../../api/session.ts';
import { formatAgo } from '../../format/date.ts';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useStored } from '../../storage/storage.ts';
import { Hint } from '../../ui/Hint.tsx';
import { useConfiguration } from '../configuration.ts';
import { links } from '../links.ts';
import { mayLeaveUnsaved, suspendUnsavedGuards } from '../useUnsavedGuard.ts';
import styles from './ContextBar.module.css';
import { type ContextTab, toggleTab, useContextState } from './contextState.ts';
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
