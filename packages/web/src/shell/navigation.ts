import { IconHistory, IconSitemap } from '@tabler/icons-react';
import { linkOptions } from '@tanstack/react-router';

/**
 * The sidebar, from top to bottom. A new area adds one line here; `section` is the first segment of its paths
 * and keeps the entry highlighted on every page below it.
 */
export const navigation = [
  {
    label: 'nav.flows',
    section: 'flows',
    icon: IconSitemap,
    link: linkOptions({ to: '/{-$tenant}/flows', search: {} }),
  },
  {
    label: 'nav.executions',
    section: 'executions',
    icon: IconHistory,
    link: linkOptions({ to: '/{-$tenant}/executions', search: {} }),
  },
] as const;
