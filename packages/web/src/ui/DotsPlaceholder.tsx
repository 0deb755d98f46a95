import { ActionIcon } from '@mantine/core';
import { IconDots } from '@tabler/icons-react';

/** Looks like a menu's button while the menu loads. */
export function DotsPlaceholder() {
  return (
    <ActionIcon component="span" aria-hidden="true">
      <IconDots size={16} stroke={1.7} />
    </ActionIcon>
  );
}
