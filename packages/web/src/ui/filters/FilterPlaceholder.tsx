import { TextInput } from '@mantine/core';

/** Holds a filter's place while its part loads, so that nothing beside it moves. */
export function FilterPlaceholder({ label, width }: { label: string; width: number }) {
  return <TextInput w={width} placeholder={label} aria-label={label} disabled />;
}
