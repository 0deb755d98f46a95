import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';

/** Looks like a menu's button while the menu loads. */
export function DotsPlaceholder({ framed = false }: { framed?: boolean }) {
  return (
    <ActionIcon component="span" aria-hidden="true" {...(framed && { variant: 'default', size: 34 })}>
      <IconDots size={framed ? 17 : 16} stroke={1.7} />
    </ActionIcon>
  );
}
