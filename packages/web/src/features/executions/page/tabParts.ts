import type { Execution } from '@millrace/contract';
import { lazyPart } from '../../../ui/lazyPart.tsx';
import type { ExecutionSearch, SetSearch } from '../search.ts';

export interface ExecutionTabProps {
  execution: Execution;
  isLive: boolean;
  /** The selected task run, shared by all tabs. */
  selectedId: string | undefined;
  onSelect: (taskRunId: string | undefined) => void;
  /** What the address says of the tab, and how it comes to say something else. */
  search: ExecutionSearch;
  keep: SetSearch;
}

// What a view is mostly made of. The start of the page and the view itself ask for the same.
export const Gantt = lazyPart(() => import('../../gantt/index.ts'), 'Gantt');
export const LogView = lazyPart(() => import('../../logs/index.ts'), 'LogView');
export const Topology = lazyPart(() => import('../../topology/index.ts'), 'Topology');
