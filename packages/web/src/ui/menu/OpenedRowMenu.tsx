import { Menu } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { RowButton } from './RowButton.tsx';

interface OpenedRowMenuProps {
  label: string;
  children: () => ReactNode;
}

/** Stands in the place of the button that was pressed, takes over its focus, and opens. */
export function OpenedRowMenu({ label, children }: OpenedRowMenuProps) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The menu gives the focus back to what had it before.
    button.current?.focus({ preventScroll: true });
    setOpen(true);
  }, []);
  return (
    <Menu position="bottom-end" opened={isOpen} onChange={setOpen}>
      <Menu.Target>
        <RowButton ref={button} aria-label={label}>
          <IconDots size={16} stroke={1.7} />
        </RowButton>
      </Menu.Target>
      <Menu.Dropdown>{children()}</Menu.Dropdown>
    </Menu>
  );
}
