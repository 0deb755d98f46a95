export { PluginDocumentView } from './components/PluginDocumentView.tsx';
export { pluginDocumentQuery } from './queries.ts';
