import { IconChevronDown } from '@tabler/icons-react';
import { type ComponentType, lazy, type ReactNode, Suspense, useState } from 'react';
import styles from './Sidebar.module.css';

const Flyout = lazy(() => import('./Flyout.tsx').then((module) => ({ default: module.Flyout })));

export interface SidebarGroupProps {
  label: string;
  icon: ComponentType<{ size: number; stroke: number; 'aria-hidden': true }>;
  /** A page of the group is open. */
  isActive: boolean;
  isCollapsed: boolean;
  children: ReactNode;
}

/** Entries under a common name: they unfold below it, or fly out beside it while the sidebar is collapsed. */
export function SidebarGroup(props: SidebarGroupProps) {
  const { label, icon: Icon, isActive, isCollapsed, children } = props;
  const [isOpen, setOpen] = useState(isActive);
  const [wasActive, setWasActive] = useState(isActive);
  // A page of the group opens it; whoever shuts it then has it shut.
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
