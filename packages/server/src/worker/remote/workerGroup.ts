export interface WorkerGroup {
  readonly key: string;
  /** The behavior while no worker of the group runs. */
  readonly fallback: 'WAIT' | 'FAIL' | 'CANCEL';
}

/** The worker group of a task or trigger, if it names one: as `workerGroup`, or as the one tag of `workerSelector`. */
export function readWorkerGroup(owner: Readonly<Record<string, unknown>>): WorkerGroup | undefined {
  const { key, tags, fallback } = mapOf(owner.workerGroup ?? owner.workerSelector);
  const group = key ?? (Array.isArray(tags) ? tags[0] : undefined);
  if (group === undefined) return undefined;
  return { key: String(group), fallback: fallback === 'FAIL' || fallback === 'CANCEL' ? fallback : 'WAIT' };
}

const mapOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};
