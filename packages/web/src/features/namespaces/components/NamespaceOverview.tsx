import { lazy } from 'react';

const DefaultDashboard = lazy(() =>
  import('../../dashboards/index.ts').then((module) => ({ default: module.DefaultDashboard })),
);

/** How everything in a namespace goes. */
export function NamespaceOverview({ namespace }: { namespace: string }) {
  return <DefaultDashboard namespace={namespace} />;
}
