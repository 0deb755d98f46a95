import type { Execution, LogLevel } from '@millrace/contract';
import { Suspense } from 'react';
import { ErrorBoundary, Loading } from '../../../ui/index.ts';
import { ExecutionGraph } from './ExecutionGraph.tsx';
import { ExecutionLogs } from './ExecutionLogs.tsx';
import { ExecutionOutputs } from './ExecutionOutputs.tsx';
import { ExecutionOverview } from './ExecutionOverview.tsx';
import { ExecutionTimeline } from './ExecutionTimeline.tsx';

export const tabs = ['overview', 'gantt', 'logs', 'topology', 'outputs'] as const;

export interface ExecutionTabProps {
  execution: Execution;
  isLive: boolean;
  /** The selected task run, shared by all tabs. */
  selectedId: string | undefined;
  onSelect: (taskRunId: string | undefined) => void;
  /** The lowest level a link into the log asks for. */
  level: LogLevel | undefined;
}

const views: Record<string, (props: ExecutionTabProps) => React.ReactNode> = {
  overview: ExecutionOverview,
  gantt: ExecutionTimeline,
  logs: ExecutionLogs,
  topology: ExecutionGraph,
  outputs: ExecutionOutputs,
};

export function ExecutionTab({ tab, ...props }: ExecutionTabProps & { tab: string }) {
  const View = views[tab] ?? ExecutionOverview;
  return (
    <ErrorBoundary resetKey={tab}>
      <Suspense fallback={<Loading />}>
        <View {...props} />
      </Suspense>
    </ErrorBoundary>
  );
}
