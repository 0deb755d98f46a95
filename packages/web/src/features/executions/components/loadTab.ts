/**
 * The view of each tab comes when it is chosen, with what it is mostly made of. The start of the page and the view
 * itself ask for the same, so that nothing waits for the other.
 */
export const loadTab = {
  overview: () => import('./ExecutionOverview.tsx'),
  gantt: () => beside(import('./ExecutionTimeline.tsx'), import('../../gantt/index.ts')),
  logs: () => beside(import('./ExecutionLogs.tsx'), import('../../logs/index.ts')),
  topology: () => beside(import('./ExecutionGraph.tsx'), import('../../topology/index.ts')),
  outputs: () => import('./ExecutionOutputs.tsx'),
  metrics: () => import('./ExecutionMetrics.tsx'),
  dependencies: () => import('./ExecutionDependencies.tsx'),
};

/** The part loads at the same time; whoever shows it says so when it cannot. */
function beside<View>(view: Promise<View>, part: Promise<unknown>): Promise<View> {
  part.catch(() => undefined);
  return view;
}

/** Starts loading the view of a tab. A missing or an unknown one is the overview. */
export function beginTab(tab: string | undefined): void {
  const load = loadTab[tab as keyof typeof loadTab] ?? loadTab.overview; // Any word may stand in an address.
  load().catch(() => undefined);
}
