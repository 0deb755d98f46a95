import { Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import styles from './Sidebar.module.css';
import type { SidebarGroupProps } from './SidebarGroup.tsx';

/** The entries of a group beside the collapsed sidebar. */
export function Flyout({ label, icon: Icon, isActive, children }: SidebarGroupProps) {
  const [isOpen, { open, close, toggle }] = useDisclosure(false);
  return (
    <Popover opened={isOpen} onChange={close} position="right-start" offset={8} radius={8} shadow="md">
      <Popover.Target>
        <button
          type="button"
          className={styles.item}
          aria-label={label}
          aria-expanded={isOpen}
          data-active={isActive || undefined}
          onPointerEnter={open}
          onClick={toggle}
        >
          <Icon size={20} stroke={1.6} aria-hidden={true} />
        </button>
      </Popover.Target>
      <Popover.Dropdown className={styles.flyout} onPointerLeave={close} onClick={close}>
        <div className={styles.flyoutTitle}>{label}</div>
        <ul className={styles.flyoutItems}>{children}</ul>
      </Popover.Dropdown>
    </Popover>
  );
}
