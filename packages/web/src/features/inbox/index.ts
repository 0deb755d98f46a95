import { afterPaint } from '../../ui/afterPaint.ts';
import { lazyPart, Nothing } from '../../ui/lazyPart.tsx';

export const InboxBadge = lazyPart(
  () => afterPaint().then(() => import('./InboxBadge.tsx')),
  'InboxBadge',
  Nothing,
);
