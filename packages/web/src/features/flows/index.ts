export { FlowLink } from './components/FlowLink.tsx';
export { NamespaceSelect } from './components/NamespaceSelectLazy.tsx';
export { type FlowKey, flowQuery } from './queries.ts';
