import type { Input } from '@millrace/contract';

/** The values that an input can have; nothing when any text will do, or an expression makes the list. */
export function optionsOf({ type, values, options, allowCustomValue }: Input): string[] | undefined {
  if (type === 'BOOL' || type === 'BOOLEAN') return ['true', 'false'];
  const listed = values ?? options;
  if ((type !== 'SELECT' && type !== 'ENUM') || allowCustomValue === true || !Array.isArray(listed))
    return undefined;
  return listed.map(String);
}
