import type { FlowQueryData } from '../queries.ts';

export interface FlowTabProps {
  flow: FlowQueryData;
  /** The place in the page's header where the actions of a tab belong. */
  actions: HTMLElement | null;
  /** `quickly` asks only when something is unclear. */
  onExecute: (quickly?: boolean) => void;
}
