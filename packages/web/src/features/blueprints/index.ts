import { lazy } from 'react';

export const BlueprintBrowser = lazy(() =>
  import('./components/BlueprintBrowser.tsx').then((module) => ({ default: module.BlueprintBrowser })),
);
