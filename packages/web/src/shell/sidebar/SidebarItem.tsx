import { IconExternalLink, IconLock } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { useTranslation } from '../../i18n/useTranslation.ts';
import { Hint } from '../../ui/Hint.tsx';
import styles from './Sidebar.module.css';

interface SidebarItemProps {
  label: string;
  icon: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>;
  href: string;
  place?: 'here' | 'section' | undefined;
  isCollapsed?: boolean;
  isLocked?: boolean | undefined;
  /** A small number beside the label. */
  badge?: ComponentType | undefined;
  /** Leads out of the product, so it is a plain anchor. */
  isExternal?: boolean;
}

/** One entry. The page it leads to is the one that is open: then there is nothing to click. */
export function SidebarItem({
  label,
  icon: Icon,
  href,
  place,
  isCollapsed = false,
  isLocked = false,
  badge: Badge,
  isExternal = false,
}: SidebarItemProps) {
  const { t } = useTranslation();
  const content = (
    <>
      <Icon size={20} stroke={1.6} aria-hidden={true} />
      <span className={styles.label}>{label}</span>
      {Badge && <Badge />}
      {isLocked && (
        <IconLock className={styles.lock} size={14} stroke={1.8} aria-label={t('enterprise.name')} />
      )}
      {isExternal && <IconExternalLink className={styles.lock} size={14} stroke={1.8} aria-hidden="true" />}
    </>
  );
  const hint = [isCollapsed && label, isLocked && t('upsell.needed')].filter(Boolean).join(' · ');
  const name = isCollapsed ? { 'aria-label': label } : {};
  return (
    <li>
      <Hint label={hint} position="right" disabled={!isCollapsed && !isLocked}>
        {isExternal ? (
          <a className={styles.item} href={href} target="_blank" rel="noopener noreferrer" {...name}>
            {content}
          </a>
        ) : (
          // Every entry is an address of this router; the tenant in front of it is only known while running.
          <Link
            to={href as '/'}
            search={{}}
            className={styles.item}
            data-active={place ? true : undefined}
            aria-current={place ? 'page' : undefined}
            disabled={place === 'here'}
            {...name}
          >
            {content}
          </Link>
        )}
      </Hint>
    </li>
  );
}
