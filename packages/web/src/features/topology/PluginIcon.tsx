import { IconBox } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import styles from './nodes.module.css';
import { pluginIconsQuery } from './queries.ts';

/** The icon of a type. Plugins bring their own drawing, so it is shown as an image and can run nothing. */
export function PluginIcon({ type, size = 18 }: { type: string; size?: number }) {
  const { data } = useQuery(pluginIconsQuery);
  const icon = data?.[type]?.icon;
  return (
    <span className={styles.icon} aria-hidden="true">
      {icon ? (
        <img src={`data:image/svg+xml;base64,${icon}`} width={size} height={size} alt="" />
      ) : (
        <IconBox size={size} stroke={1.5} />
      )}
    </span>
  );
}
