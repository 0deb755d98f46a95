export { DocsPanel } from './components/DocsPanel.tsx';
export { docSearchQuery } from './queries.ts';
