import { ActionIcon } from '@mantine/core';
import { IconLayoutSidebarLeftCollapse, IconLayoutSidebarLeftExpand, IconStar } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { CSSProperties } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { useTenant } from '../../routing/tenant.ts';
import { useEnvironment } from '../configuration.ts';
import { Logo } from '../Logo.tsx';
import { BookmarkRow, useBookmarks } from './bookmarks.tsx';
import { isGroup, useHrefOf, useNavigation, usePlaceOf } from './navigation.ts';
import styles from './Sidebar.module.css';
import { SidebarGroup } from './SidebarGroup.tsx';
import { SidebarItem } from './SidebarItem.tsx';

interface SidebarProps {
  collapsed: boolean;
  onToggle?: () => void;
}

export function Sidebar({ collapsed, onToggle }: SidebarProps) {
  const { t } = useTranslation();
  const tenant = useTenant();
  const ToggleIcon = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  return (
    <nav className={styles.sidebar} data-collapsed={collapsed || undefined} aria-label={t('nav.label')}>
      <div className={styles.head}>
        <Link to="/{-$tenant}" params={{ tenant }} className={styles.logo} aria-label={t('product')}>
          <Logo size={28} />
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
        <Bookmarks collapsed={collapsed} />
        <Entries collapsed={collapsed} />
      </ul>
    </nav>
  );
}

function Entries({ collapsed }: { collapsed: boolean }) {
  const { t } = useTranslation();
  const hrefOf = useHrefOf();
  const placeOf = usePlaceOf();
  return useNavigation().map((entry) =>
    isGroup(entry) ? (
      <SidebarGroup
        key={entry.label}
        label={t(entry.label)}
        icon={entry.icon}
        isActive={entry.children.some(placeOf)}
        isCollapsed={collapsed}
      >
        {entry.children.map((item) => (
          <SidebarItem
            key={item.label}
            {...item}
            label={t(item.label)}
            href={hrefOf(item)}
            place={placeOf(item)}
          />
        ))}
      </SidebarGroup>
    ) : (
      <SidebarItem
        key={entry.label}
        {...entry}
        label={t(entry.label)}
        href={hrefOf(entry)}
        place={placeOf(entry)}
        isCollapsed={collapsed}
      />
    ),
  );
}

/** The marked pages; nothing at all while there are none. */
function Bookmarks({ collapsed }: { collapsed: boolean }) {
  const { t } = useTranslation();
  const bookmarks = useBookmarks();
  if (bookmarks.length === 0) return null;
  return (
    <SidebarGroup label={t('bookmark.title')} icon={IconStar} isActive={!collapsed} isCollapsed={collapsed}>
      {bookmarks.map((bookmark) => (
        <BookmarkRow key={bookmark.path} bookmark={bookmark} />
      ))}
    </SidebarGroup>
  );
}

function Environment({ collapsed }: { collapsed: boolean }) {
  const { name, color } = useEnvironment();
  if (!name) return null;
  // React's type knows no custom properties.
  const style = { '--environment': color } as CSSProperties;
  return (
    <div className={styles.environment} style={style}>
      {collapsed ? name.slice(0, 3) : name}
    </div>
  );
}
