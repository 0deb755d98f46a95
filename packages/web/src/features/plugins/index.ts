import { lazyPart } from '../../ui/lazyPart.tsx';

export { PluginDocumentView } from './PluginDocumentView.tsx';
export { pluginDocumentQuery } from './queries.ts';

export const PluginHelp = lazyPart(() => import('./PluginHelp.tsx'), 'PluginHelp');
