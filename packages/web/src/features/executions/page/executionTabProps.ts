import type { Execution } from '@millrace/contract';
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
