import { lazyPart } from '../../ui/lazyPart.tsx';

export { mayBeSaved } from './mayBeSaved.ts';
export { handOverSuite, madeHere } from './suiteDraft.ts';

export const FlowTests = lazyPart(() => import('./FlowTests.tsx'), 'FlowTests');
