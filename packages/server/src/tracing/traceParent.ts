import { createHash, randomBytes } from 'node:crypto';

/** Where in which trace something happens, as W3C describes it. */
export interface TraceContext {
  /** 32 hexadecimal digits. */
  readonly traceId: string;
  /** 16 hexadecimal digits. */
  readonly spanId: string;
}

const pattern = /^[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-[0-9a-f]{2}$/;

/** Undefined for anything that is not a trace parent: it comes from outside. */
export function readTraceParent(text: string | undefined): TraceContext | undefined {
  const [, traceId, spanId] = pattern.exec(text ?? '') ?? [];
  if (traceId === undefined || spanId === undefined) return undefined;
  return /^0+$/.test(traceId) || /^0+$/.test(spanId) ? undefined : { traceId, spanId };
}

export const writeTraceParent = ({ traceId, spanId }: TraceContext): string => `00-${traceId}-${spanId}-01`;

export const newSpanId = (): string => randomBytes(8).toString('hex');
export const newTraceId = (): string => randomBytes(16).toString('hex');

/**
 * The span of an execution. Its ids are derived, so that every process that runs one of its tasks, on any
 * machine and after a restart, knows the parent span without a lookup.
 */
export function contextOfExecution(execution: { id: string; traceParent?: string }): TraceContext & {
  parent: TraceContext | undefined;
} {
  const digest = createHash('sha256').update(execution.id).digest('hex');
  const parent = readTraceParent(execution.traceParent);
  return { traceId: parent?.traceId ?? digest.slice(0, 32), spanId: digest.slice(32, 48), parent };
}
