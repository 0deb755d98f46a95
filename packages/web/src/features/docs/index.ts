export { DocsPanel } from './DocsPanel.tsx';
export { docSearchQuery } from './queries.ts';
