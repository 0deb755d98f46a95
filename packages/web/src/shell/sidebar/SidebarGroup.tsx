import { IconChevronDown } from '@tabler/icons-react';
import { Suspense, useState } from 'react';
import { lazyPart } from '../../ui/lazyPart.tsx';
import type { SidebarGroupProps } from './navigation.ts';
import styles from './Sidebar.module.css';

const Flyout = lazyPart(() => import('./Flyout.tsx'), 'Flyout');

/** Entries under a common name: they unfold below it, or fly out beside it while the sidebar is collapsed. */
export function SidebarGroup(props: SidebarGroupProps) {
  const { label, icon: Icon, isActive, isCollapsed, children } = props;
  const [isOpen, setOpen] = useState(isActive);
  const [wasActive, setWasActive] = useState(isActive);
  // A page of the group opens it; if the user closes it, it stays closed.
  if (wasActive !== isActive) {
    setWasActive(isActive);
    if (isActive) setOpen(true);
  }
  if (isCollapsed) {
    return (
      <li>
        <Suspense fallback={<GroupButton {...props} />}>
          <Flyout {...props} />
        </Suspense>
      </li>
    );
  }
  return (
    <li>
      <button
        type="button"
        className={styles.item}
        onClick={() => setOpen(!isOpen)}
        aria-expanded={isOpen}
        data-open={isOpen || undefined}
      >
        <Icon size={20} stroke={1.6} aria-hidden={true} />
        <span className={styles.label}>{label}</span>
        <IconChevronDown className={styles.chevron} size={16} stroke={1.7} aria-hidden="true" />
      </button>
      {isOpen && <ul className={styles.children}>{children}</ul>}
    </li>
  );
}

function GroupButton({ label, icon: Icon }: SidebarGroupProps) {
  return (
    <button type="button" className={styles.item} aria-label={label}>
      <Icon size={20} stroke={1.6} aria-hidden={true} />
    </button>
  );
}
