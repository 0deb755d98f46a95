import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';
import type { ComponentProps, CSSProperties } from 'react';
import styles from './RowButton.module.css';

interface RowButtonProps extends ComponentProps<'button'> {
  size?: number;
}

/** A quiet button with an icon, for places that have dozens of them: the library's own costs twenty times as much. */
export function RowButton({ size = 30, className, ...button }: RowButtonProps) {
  // React's type knows no custom properties.
  const style = { '--size': `${size}px` } as CSSProperties;
  return (
    <button
      type="button"
      className={className ? `${styles.button} ${className}` : styles.button}
      style={style}
      {...button}
    />
  );
}

/** Looks like a menu's button while the menu loads. */
export function DotsPlaceholder({ framed = false }: { framed?: boolean }) {
  return (
    <ActionIcon component="span" aria-hidden="true" {...(framed && { variant: 'default', size: 34 })}>
      <IconDots size={framed ? 17 : 16} stroke={1.7} />
    </ActionIcon>
  );
}
