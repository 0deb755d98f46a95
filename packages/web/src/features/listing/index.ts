export { ofFlow } from './ofFlow.ts';
export { useFilterFields } from './useFilterFields.tsx';
