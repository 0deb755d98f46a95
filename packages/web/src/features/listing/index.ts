export { exportLinks } from './exportLinks.ts';
export { ofFlow } from './ofFlow.ts';
export { useFilterFields } from './useFilterFields.tsx';
