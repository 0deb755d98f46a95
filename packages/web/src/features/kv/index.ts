import { lazy } from 'react';

export const KvList = lazy(() =>
  import('./components/KvList.tsx').then((module) => ({ default: module.KvList })),
);
export const KvForm = lazy(() =>
  import('./components/KvForm.tsx').then((module) => ({ default: module.KvForm })),
);
