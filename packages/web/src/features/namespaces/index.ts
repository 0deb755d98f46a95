import { lazyPart } from '../../ui/lazyPart.tsx';

export { flowTab, type OpenFiles, useOpenFiles } from './files/useOpenFiles.ts';

export const FilesView = lazyPart(() => import('./files/FilesView.tsx'), 'FilesView');
