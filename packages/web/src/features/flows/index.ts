export { FlowLink } from './components/FlowLink.tsx';
export { NamespaceSelect } from './components/NamespaceSelect.tsx';
export { type FlowKey, flowQuery } from './queries.ts';
