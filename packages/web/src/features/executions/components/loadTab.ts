import { type LazyPart, lazyPart } from '../../../ui/lazyPart.tsx';
import { Gantt, LogView, Topology } from './largeParts.ts';

/** The settings say which view an execution opens with: each comes when it is chosen. */
export const tabViews = {
  overview: lazyPart(() => import('./ExecutionOverview.tsx').then((module) => module.ExecutionOverview)),
  gantt: lazyPart(() => import('./ExecutionTimeline.tsx').then((module) => module.ExecutionTimeline)),
  logs: lazyPart(() => import('./ExecutionLogs.tsx').then((module) => module.ExecutionLogs)),
  topology: lazyPart(() => import('./ExecutionGraph.tsx').then((module) => module.ExecutionGraph)),
  outputs: lazyPart(() => import('./ExecutionOutputs.tsx').then((module) => module.ExecutionOutputs)),
  metrics: lazyPart(() => import('./ExecutionMetrics.tsx').then((module) => module.ExecutionMetrics)),
  dependencies: lazyPart(() =>
    import('./ExecutionDependencies.tsx').then((module) => module.ExecutionDependencies),
  ),
};

const beside: Record<string, Pick<LazyPart<never>, 'load'>> = {
  gantt: Gantt,
  logs: LogView,
  topology: Topology,
};

/** Loads the view of a tab and what it is mostly made of. A missing or an unknown one is the overview. */
export function beginTab(tab = ''): Promise<unknown> {
  const view = tabViews[tab as keyof typeof tabViews] ?? tabViews.overview; // Any word may stand in an address.
  return Promise.all([view.load(), beside[tab]?.load()]);
}
