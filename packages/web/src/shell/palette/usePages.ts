import { useTranslation } from 'react-i18next';
import { isGroup } from '../sidebar/navigation.ts';
import { useNavigation } from '../sidebar/useNavigation.ts';
import type { PaletteItem } from './item.ts';

/** Every entry of the menu; those of a group carry its name. */
export function usePages(): PaletteItem[] {
  const { t } = useTranslation();
  return useNavigation().flatMap((entry) =>
    (isGroup(entry) ? entry.children : [entry]).map(
      (item): PaletteItem => ({
        id: `page:${item.path}`,
        label: t(item.label),
        icon: item.icon,
        detail: isGroup(entry) ? t(entry.label) : undefined,
        target: { kind: 'page', path: item.path },
      }),
    ),
  );
}
