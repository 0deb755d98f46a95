import { lazyPart } from '../../ui/lazyPart.tsx';

export { listFlowDrafts } from './edit/flowDraft.ts';
export { type UnsavedFlow, useUnsavedFlow } from './edit/unsavedFlow.ts';
export { FlowLink } from './FlowLink.tsx';
export { NamespaceSelect } from './NamespaceSelectLazy.tsx';
export {
  type FlowKey,
  type FlowQueryData,
  flowOrder,
  flowQuery,
  flowsQuery,
  namespacesQuery,
  revisionsQuery,
  withParents,
} from './queries.ts';
export { diffLines, pairLines } from './revisions/lineDiff.ts';
export { useConfirmDelete } from './useConfirmDelete.tsx';

export const RevisionDiff = lazyPart(() => import('./revisions/RevisionDiff.tsx'), 'RevisionDiff');
