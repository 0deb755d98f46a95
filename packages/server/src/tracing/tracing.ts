import { type ExecutionRecord, isTerminal, type Task } from '@millrace/contract';
import type { ProcessLog } from '../processLog.ts';
import { version } from '../version.ts';
import { type FinishedSpan, SpanExporter } from './exporter.ts';
import {
  contextOfExecution,
  newSpanId,
  newTraceId,
  readTraceParent,
  type TraceContext,
  writeTraceParent,
} from './traceParent.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** The span of a request in progress. */
export interface RequestSpan {
  /** The parent of spans that the request causes. */
  readonly traceParent: string;
  end(answer: { route: string; method: string; status: number }): void;
}

/** Sends spans to a trace collector. Exists only when the environment names one. */
export class Tracing {
  readonly #exporter: SpanExporter;
  readonly #clock: () => number;

  constructor(exporter: SpanExporter, clock: () => number) {
    this.#exporter = exporter;
    this.#clock = clock;
  }

  beginRequest(incoming: string | undefined): RequestSpan {
    const parent = readTraceParent(incoming);
    const context = { traceId: parent?.traceId ?? newTraceId(), spanId: newSpanId() };
    const startedAt = this.#clock();
    return {
      traceParent: writeTraceParent(context),
      end: ({ route, method, status }) =>
        this.#add(context, parent, {
          name: `${method} ${route}`,
          kind: 'server',
          startedAt,
          attributes: {
            'http.request.method': method,
            'http.route': route,
            'http.response.status_code': status,
          },
          ...(status >= 500 ? { problem: `${status}` } : {}),
        }),
    };
  }

  /** Called when an execution ends. */
  endExecution(execution: ExecutionRecord): void {
    const { parent, ...context } = contextOfExecution(execution);
    const { namespace, flowId, flowRevision, id, state } = execution;
    this.#add(context, parent, {
      name: `${namespace}.${flowId}`,
      kind: 'internal',
      startedAt: state.histories[0]?.date ?? this.#clock(),
      attributes: {
        'millrace.namespace': namespace,
        'millrace.flow.id': flowId,
        'millrace.flow.revision': flowRevision,
        'millrace.execution.id': id,
        'millrace.state': state.current,
      },
      ...problemOf(state.current),
    });
  }

  /** One attempt of a task run, from when it had a slot. */
  beginAttempt(execution: ExecutionRecord, task: Task, attempt: { taskRunId: string; attempt: number }) {
    const parent = contextOfExecution(execution);
    const context = { traceId: parent.traceId, spanId: newSpanId() };
    const startedAt = this.#clock();
    return {
      traceParent: writeTraceParent(context),
      end: (state: string) =>
        this.#add(context, parent, {
          name: task.id,
          kind: 'internal',
          startedAt,
          attributes: {
            'millrace.execution.id': execution.id,
            'millrace.task.id': task.id,
            'millrace.task.type': task.type,
            'millrace.taskrun.id': attempt.taskRunId,
            'millrace.taskrun.attempt': attempt.attempt,
            'millrace.state': state,
          },
          ...problemOf(state),
        }),
    };
  }

  close(): Promise<void> {
    return this.#exporter.close();
  }

  #add(
    context: TraceContext,
    parent: TraceContext | undefined,
    span: Omit<FinishedSpan, 'traceId' | 'spanId' | 'parentSpanId' | 'endedAt'>,
  ): void {
    this.#exporter.add({ ...context, parentSpanId: parent?.spanId, endedAt: this.#clock(), ...span });
  }
}

const problemOf = (state: string): { problem?: string } =>
  isTerminal(state as never) && !['SUCCESS', 'WARNING', 'SKIPPED'].includes(state) ? { problem: state } : {};

/** Undefined unless `OTEL_EXPORTER_OTLP_ENDPOINT`, or the same for traces alone, is set. */
export function openTracing(env: Environment, clock: () => number, log: ProcessLog): Tracing | undefined {
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url =
    env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ??
    (base === undefined || base === '' ? undefined : `${base.replace(/\/+$/, '')}/v1/traces`);
  if (url === undefined || url === '' || env.OTEL_SDK_DISABLED === 'true') return undefined;
  if (!URL.canParse(url)) {
    log.warn(`"${url}" is not an address that traces can be sent to.`);
    return undefined;
  }
  const options = {
    url,
    headers: readHeaders(env.OTEL_EXPORTER_OTLP_HEADERS),
    serviceName: env.OTEL_SERVICE_NAME ?? 'millrace',
    version,
  };
  return new Tracing(new SpanExporter(options, log), clock);
}

/** `a=b,c=d`, values encoded as in addresses. */
function readHeaders(text = ''): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const item of text.split(',')) {
    const at = item.indexOf('=');
    if (at > 0) headers[item.slice(0, at).trim()] = decodeURIComponent(item.slice(at + 1).trim());
  }
  return headers;
}
