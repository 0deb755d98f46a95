export interface WorkerGroup {
  readonly key: string;
  /** The behavior while no worker of the group runs. */
  readonly fallback: 'WAIT' | 'FAIL' | 'CANCEL';
}

/** The worker group of a task or trigger, if it names one. */
export function readWorkerGroup({ workerGroup }: Readonly<Record<string, unknown>>): WorkerGroup | undefined {
  if (typeof workerGroup !== 'object' || workerGroup === null || !('key' in workerGroup)) return undefined;
  const fallback = 'fallback' in workerGroup ? workerGroup.fallback : undefined;
  return {
    key: String(workerGroup.key),
    fallback: fallback === 'FAIL' || fallback === 'CANCEL' ? fallback : 'WAIT',
  };
}
