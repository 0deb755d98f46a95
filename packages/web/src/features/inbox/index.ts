import { lazyPart, Nothing } from '../../ui/lazyPart.tsx';

export const InboxBadge = lazyPart(() => import('./InboxBadge.tsx'), 'InboxBadge', Nothing);
