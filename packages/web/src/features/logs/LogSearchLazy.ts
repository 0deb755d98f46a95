import { lazyPart } from '../../ui/lazyPart.tsx';

/** For pages of which it is one tab. Whoever wants the log of an execution need not load the search. */
export const LogSearch = lazyPart(() => import('./LogSearch.tsx').then((module) => module.LogSearch));
