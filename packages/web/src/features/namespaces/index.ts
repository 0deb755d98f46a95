import { lazy } from 'react';

export { flowTab } from './editorTab.ts';
export { type OpenFiles, useOpenFiles } from './useOpenFiles.ts';

export const FilesView = lazy(() =>
  import('./components/FilesView.tsx').then((module) => ({ default: module.FilesView })),
);
