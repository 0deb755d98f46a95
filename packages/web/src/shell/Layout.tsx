import { Outlet, useMatches } from '@tanstack/react-router';
import { DefaultLayout } from './DefaultLayout.tsx';

/** Each page may choose what surrounds it by the static data of its route. */
export function Layout() {
  const layout = useMatches({ select: (matches) => matches.at(-1)?.staticData.layout ?? 'default' });
  return layout === 'full' ? <Outlet /> : <DefaultLayout withContextBar={layout === 'default'} />;
}
