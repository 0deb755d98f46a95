import { lazy } from 'react';

export { FlowList } from './FlowList.tsx';

export const FlowsOfNamespace = lazy(() =>
  import('./FlowsOfNamespace.tsx').then((module) => ({ default: module.FlowsOfNamespace })),
);
