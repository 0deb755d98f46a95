export { LogSearch } from './LogSearch.tsx';
export { LogView } from './LogView.tsx';
export type { LogGroup } from './logGroups.ts';
