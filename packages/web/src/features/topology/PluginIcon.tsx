import { IconBox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import styles from './nodes.module.css';
import { findIcon, pluginIconsQuery } from './queries.ts';

/** The icon of a type. Plugins bring their own drawing, so it is shown as an image and can run nothing. */
export function PluginIcon({ type, size = 18 }: { type: string; size?: number }) {
  const { data } = useQuery(pluginIconsQuery);
  return <IconImage icon={findIcon(data, type)} size={size} />;
}

/** The same where the icon is known already (`null`: there is none). A thousand nodes need not each ask for the list. */
export function IconImage({ icon, size = 18 }: { icon: string | null | undefined; size?: number }) {
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
