import { useParams, useRouterState } from '@tanstack/react-router';
import { useConfiguration } from '../configuration.ts';
import { isGroup, type NavigationEntry, type NavigationItem, navigation } from './navigation.ts';

/** The entries that this installation shows. */
export function useNavigation(): readonly NavigationEntry[] {
  const configuration = useConfiguration();
  const isShown = (item: NavigationItem) => item.isShown?.(configuration) ?? true;
  return navigation.flatMap((entry): NavigationEntry[] => {
    if (!isGroup(entry)) return isShown(entry) ? [entry] : [];
    const children = entry.children.filter(isShown);
    return children.length > 0 ? [{ ...entry, children }] : [];
  });
}

/** The address of an entry, in the tenant of the present page. */
export function useHrefOf(): (item: Pick<NavigationItem, 'path'>) => string {
  const { tenant } = useParams({ strict: false });
  return ({ path }) => (tenant ? `/${tenant}/${path}` : `/${path}`);
}

/** `here`: the page of the entry itself. `section`: a page below it. */
export function usePlaceOf(): (item: NavigationItem) => 'here' | 'section' | undefined {
  const pathname = useRouterState({ select: (state) => state.location.pathname });
  const hrefOf = useHrefOf();
  return (item) => {
    if (pathname === hrefOf(item)) return 'here';
    return pathname.startsWith(`${hrefOf({ path: item.section ?? item.path })}/`) ? 'section' : undefined;
  };
}
