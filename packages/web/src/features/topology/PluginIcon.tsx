import { plugins } from '@millrace/contract';
import { shortType } from '@millrace/engine';
import { IconBox } from '@tabler/icons-react';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/index.ts';
import styles from './nodes.module.css';

/** The icon of a type. Plugins bring their own drawing, so it is shown as an image and can run nothing. */
export function PluginIcon({ type, size = 22 }: { type: string; size?: number }) {
  const { data } = useQuery(pluginIconsQuery);
  return <IconImage icon={findIcon(data, type)} size={size} />;
}

/** The same where the icon is known already (`null`: there is none). A thousand nodes need not each ask for the list. */
export function IconImage({ icon, size = 22 }: { icon: string | null | undefined; size?: number }) {
  return (
    <span className={styles.icon} aria-hidden="true">
      {icon ? (
        <img src={`data:image/svg+xml;base64,${icon}`} width={size} height={size} alt="" />
      ) : (
        icon === null && <IconBox size={size} stroke={1.5} />
      )}
    </span>
  );
}

/** Icons change only with the server's version. */
export const pluginIconsQuery = queryOptions({
  queryKey: ['plugin-icons'],
  queryFn: async ({ signal }): Promise<Icons> => {
    const { drawings, types } = await call(plugins.getTypeIcons, { signal, failures: 'handled' });
    return new Map(
      Object.entries(types).map(([type, position]) => [shortType(type), drawings[position] ?? '']),
    );
  },
  staleTime: Number.POSITIVE_INFINITY,
});

/** By the short name of a type. */
export type Icons = ReadonlyMap<string, string>;

/** The icon of a type, null when it has none, undefined while the icons are loaded. */
export const findIcon = (icons: Icons | undefined, type: string): string | null | undefined =>
  icons && (icons.get(shortType(type)) ?? null);
