import { docIcon } from '../docIcons.ts';

export function DocIcon({ name, size = 20 }: { name: string | undefined; size?: number }) {
  const Icon = docIcon(name);
  return <Icon size={size} stroke={1.6} aria-hidden="true" />;
}
