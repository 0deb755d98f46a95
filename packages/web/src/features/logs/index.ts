export { LogSearch } from './LogSearch.tsx';
export { LogView } from './LogView.tsx';
