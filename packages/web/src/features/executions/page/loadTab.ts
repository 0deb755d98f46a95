import { type LazyPart, lazyPart } from '../../../ui/lazyPart.tsx';
import { Gantt, LogView, Topology } from './tabParts.ts';

/** The settings say which view an execution opens with: each comes when it is chosen. */
export const tabViews = {
  overview: lazyPart(() => import('./ExecutionOverview.tsx'), 'ExecutionOverview'),
  gantt: lazyPart(() => import('./ExecutionTimeline.tsx'), 'ExecutionTimeline'),
  logs: lazyPart(() => import('./ExecutionLogs.tsx'), 'ExecutionLogs'),
  topology: lazyPart(() => import('./ExecutionGraph.tsx'), 'ExecutionGraph'),
  outputs: lazyPart(() => import('../outputs/ExecutionOutputs.tsx'), 'ExecutionOutputs'),
  events: lazyPart(() => import('../events/ExecutionEvents.tsx'), 'ExecutionEvents'),
  metrics: lazyPart(() => import('./ExecutionMetrics.tsx'), 'ExecutionMetrics'),
  dependencies: lazyPart(() => import('./ExecutionDependencies.tsx'), 'ExecutionDependencies'),
};

const beside: Record<string, Pick<LazyPart<never>, 'load'>> = {
  gantt: Gantt,
  logs: LogView,
  topology: Topology,
};

/** Loads the view of a tab and what it is mostly made of. A missing or an unknown one is the overview. */
export function preloadTab(tab = ''): Promise<unknown> {
  const view = tabViews[tab as keyof typeof tabViews] ?? tabViews.overview; // Any word may stand in an address.
  return Promise.all([view.load(), beside[tab]?.load()]);
}
