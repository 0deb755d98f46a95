import { ActionIcon, Tooltip } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand } from '@tabler/icons-react';
import { Link, useParams, useRouterState } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { useTranslation } from 'react-i18next';
import { useConfiguration } from './configuration.ts';
import { Mark } from './Mark.tsx';
import { navigation } from './navigation.ts';
import styles from './Sidebar.module.css';

interface SidebarProps {
  collapsed: boolean;
  onToggle?: () => void;
}

export function Sidebar({ collapsed, onToggle }: SidebarProps) {
  const { t } = useTranslation();
  const configuration = useConfiguration();
  const ToggleIcon = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <nav className={styles.sidebar} data-collapsed={collapsed || undefined} aria-label={t('nav.label')}>
      <div className={styles.head}>
        <Link to="/{-$tenant}" className={styles.logo} aria-label={t('product')}>
          <Mark size={28} />
          <span className={styles.name}>{t('product')}</span>
        </Link>
        {onToggle && (
          <ActionIcon
            className={styles.toggle}
            onClick={onToggle}
            aria-label={t(collapsed ? 'nav.expand' : 'nav.collapse')}
            aria-expanded={!collapsed}
          >
            <ToggleIcon size={18} stroke={1.7} />
          </ActionIcon>
        )}
      </div>
      <Environment collapsed={collapsed} />
      <ul className={styles.items}>
        {navigation.map((item) => (
          <SidebarItem key={item.section} item={item} collapsed={collapsed} />
        ))}
      </ul>
      <div className={styles.foot}>{configuration.version}</div>
    </nav>
  );
}

function SidebarItem({ item, collapsed }: { item: (typeof navigation)[number]; collapsed: boolean }) {
  const { t } = useTranslation();
  const { tenant } = useParams({ strict: false });
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const path = tenant ? pathname.slice(tenant.length + 1) : pathname;
  const isHere = path === `/${item.section}`;
  const isActive = isHere || path.startsWith(`/${item.section}/`);
  const Icon = item.icon;
  return (
    <li>
      <Tooltip label={t(item.label)} position="right" disabled={!collapsed}>
        <Link
          {...item.link}
          className={styles.item}
          data-active={isActive || undefined}
          aria-current={isActive ? 'page' : undefined}
          disabled={isHere}
          aria-label={collapsed ? t(item.label) : undefined}
        >
          <Icon size={20} stroke={1.6} aria-hidden="true" />
          <span className={styles.label}>{t(item.label)}</span>
        </Link>
      </Tooltip>
    </li>
  );
}

function Environment({ collapsed }: { collapsed: boolean }) {
  const { environment } = useConfiguration();
  if (!environment?.name) return null;
  // React's type knows no custom properties.
  const style = { '--environment': environment.color ?? 'var(--mr-brand)' } as CSSProperties;
  return (
    <div className={styles.environment} style={style}>
      {collapsed ? environment.name.slice(0, 3) : environment.name}
    </div>
  );
}
