import { Popover } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { SidebarGroupProps } from './navigation.ts';
import styles from './Sidebar.module.css';

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
          // A finger enters and presses at once: only what hovers opens by entering, and no press shuts that again.
          onPointerEnter={(event) => event.pointerType === 'mouse' && open()}
          onClick={(event) => (event.detail === 0 ? toggle() : open())}
        >
          <Icon size={20} stroke={1.6} aria-hidden={true} />
        </button>
      </Popover.Target>
      <Popover.Dropdown
        className={styles.flyout}
        // A bookmark that is being renamed here keeps its place.
        onPointerLeave={(event) => !event.currentTarget.querySelector('input') && close()}
        onClick={(event) => event.target instanceof Element && event.target.closest('a') && close()}
      >
        <div className={styles.flyoutTitle}>{label}</div>
        <ul className={styles.flyoutItems}>{children}</ul>
      </Popover.Dropdown>
    </Popover>
  );
}
