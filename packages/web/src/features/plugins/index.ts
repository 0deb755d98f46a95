import { lazy } from 'react';

export { PluginDocumentView } from './components/PluginDocumentView.tsx';
export { pluginDocumentQuery } from './queries.ts';

export const PluginHelp = lazy(() =>
  import('./components/PluginHelp.tsx').then((module) => ({ default: module.PluginHelp })),
);
