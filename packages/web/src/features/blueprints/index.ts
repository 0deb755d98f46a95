import { lazyPart } from '../../ui/lazyPart.tsx';

export const BlueprintBrowser = lazyPart(() => import('./BlueprintBrowser.tsx'), 'BlueprintBrowser');
export type { BlueprintTarget } from './BlueprintDetail.tsx';
