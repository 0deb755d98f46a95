export { LogSearch } from './LogSearchLazy.ts';
export { LogView } from './LogView.tsx';
export type { LogGroup } from './logGroups.ts';
