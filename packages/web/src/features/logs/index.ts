import { lazyPart } from '../../ui/lazyPart.tsx';

export { type LogChoice, LogView } from './LogView.tsx';
export type { LogGroup } from './logLine.ts';

/** The log of an execution needs no search, so it loads separately. */
export const LogSearch = lazyPart(() => import('./LogSearch.tsx'), 'LogSearch');
