export interface WorkerGroup {
  readonly key: string;
  /** What happens while no worker of the group is running. */
  readonly fallback: 'WAIT' | 'FAIL' | 'CANCEL';
}

/** The group whose workers a task or a trigger asks for, if it does. */
export function readWorkerGroup({ workerGroup }: Readonly<Record<string, unknown>>): WorkerGroup | undefined {
  if (typeof workerGroup !== 'object' || workerGroup === null || !('key' in workerGroup)) return undefined;
  const fallback = 'fallback' in workerGroup ? workerGroup.fallback : undefined;
  return {
    key: String(workerGroup.key),
    fallback: fallback === 'FAIL' || fallback === 'CANCEL' ? fallback : 'WAIT',
  };
}
