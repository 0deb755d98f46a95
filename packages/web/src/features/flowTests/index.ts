import { lazyPart, Nothing } from '../../ui/lazyPart.tsx';

export { mayBeSaved } from './mayBeSaved.ts';
export { handOverSuite, madeHere } from './suiteDraft.ts';

export const RunNamespaceTests = lazyPart(
  () => import('./RunNamespaceTests.tsx'),
  'RunNamespaceTests',
  Nothing,
);
export const FlowTests = lazyPart(() => import('./FlowTests.tsx'), 'FlowTests');
