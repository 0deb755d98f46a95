import { lazyPart } from '../../../ui/lazyPart.tsx';

export { FlowList } from './FlowList.tsx';

export const FlowsOfNamespace = lazyPart(() => import('./FlowListPage.tsx'), 'FlowsOfNamespace');
