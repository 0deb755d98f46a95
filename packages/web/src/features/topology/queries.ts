import { plugins } from '@millrace/contract';
import { shortType } from '@millrace/engine';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/index.ts';

/** Icons change only with the server's version. */
export const pluginIconsQuery = queryOptions({
  queryKey: ['plugin-icons'],
  queryFn: ({ signal }) => call(plugins.getPluginIcons, { signal, failures: 'handled' }),
  staleTime: Number.POSITIVE_INFINITY,
});

export type Icons = Readonly<Record<string, { readonly icon: string }>>;

/**
 * The icon of a type, null when it has none, undefined while the icons are loaded. A flow may name a type with or without
 * the prefix of Kestra, and so may the server.
 */
export function findIcon(icons: Icons | undefined, type: string): string | null | undefined {
  if (!icons) return undefined;
  const short = shortType(type);
  return (icons[short] ?? icons[`io.kestra.plugin.${short}`])?.icon ?? null;
}
