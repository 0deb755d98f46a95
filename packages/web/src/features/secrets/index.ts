import { lazy } from 'react';

export const SecretList = lazy(() =>
  import('./components/SecretList.tsx').then((module) => ({ default: module.SecretList })),
);
