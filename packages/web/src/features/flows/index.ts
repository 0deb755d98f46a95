export { FlowLink } from './components/FlowLink.tsx';
export { NamespaceSelect } from './components/NamespaceSelectLazy.tsx';
export { useConfirmDelete } from './components/useConfirmDelete.tsx';
export { listFlowDrafts } from './flowDraft.ts';
export {
  type FlowKey,
  type FlowQueryData,
  flowOrder,
  flowQuery,
  flowsQuery,
  namespacesQuery,
  revisionsQuery,
} from './queries.ts';
export { type UnsavedFlow, useUnsavedFlow } from './unsavedFlow.ts';
export { withParents } from './withParents.ts';
