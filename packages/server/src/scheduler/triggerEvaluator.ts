import { type LogLevel, type LogRecord, logLevels, type TriggerDefinition } from '@millrace/contract';
import {
  type Emit,
  hideCredentials,
  ownProperties,
  type PluginCatalogue,
  type TriggerDefinition as PluginTrigger,
  readInput,
  renderProperties,
  TaskFailed,
  type TriggerContext,
} from '@millrace/plugin-kit';
import type { InternalStorage } from '../files/internalStorage.ts';
import type { LogBuffer } from '../logs/logBuffer.ts';
import { containErrors } from '../worker/containErrors.ts';
import type { Interruption } from '../worker/interruption.ts';
import { toJsonValue } from '../worker/jsonValue.ts';
import { splitMessage } from '../worker/splitMessage.ts';
import { stoppable } from '../worker/stoppable.ts';
import type { TaskContexts } from '../worker/taskContext.ts';
import type { EvaluationJob, PollResult, ReceivedEvent, RecordedWith } from './evaluationJob.ts';
import { EvaluationRecord } from './evaluationRecord.ts';

export interface EvaluatorParts {
  readonly catalogue: PluginCatalogue;
  readonly contexts: TaskContexts;
  readonly logs: LogBuffer;
  readonly files: InternalStorage;
  readonly clock: () => number;
  readonly newId: () => string;
}

type Log = (level: LogLevel, message: string) => void | Promise<void>;

/** Makes the `emit` of an evaluation that is being opened. */
type EmitFrom = (opened: Pick<Opened, 'record' | 'memory'>) => Emit;

interface Opened {
  readonly definition: PluginTrigger;
  readonly context: TriggerContext;
  readonly input: Readonly<Record<string, unknown>>;
  readonly record: EvaluationRecord;
  memory(): { readonly memory?: unknown };
  close(): void;
}

/** The worker's side of triggers: runs the code of a plugin for one job and hands back plain data. */
export class TriggerEvaluator {
  readonly #parts: EvaluatorParts;

  constructor(parts: EvaluatorParts) {
    this.#parts = parts;
  }

  /**
   * One poll of a trigger. `accept` is called when the trigger starts its execution before the poll ends; the
   * result then has no outputs.
   */
  async poll(
    job: EvaluationJob,
    interruption: Interruption,
    accept: (event: ReceivedEvent) => Promise<void>,
  ): Promise<PollResult> {
    const { executionId } = job;
    let hasEmitted = false;
    const emit: EmitFrom =
      ({ memory, record }) =>
      async (outputs, { key } = {}) => {
        interruption.signal.throwIfAborted();
        if (hasEmitted) throw new TaskFailed('A poll starts one execution at most.', { retry: false });
        hasEmitted = true;
        const named = key === undefined ? {} : { key };
        await accept({
          executionId,
          outputs: toPlain(outputs),
          ...named,
          ...memory(),
          ...(await record.take()),
        });
      };
    const { definition, context, input, memory, record, close } = await this.#open(job, interruption, emit);
    try {
      const { poll, type } = definition;
      if (!poll) throw new TaskFailed(`The trigger type "${type}" does not poll.`);
      const polled = containErrors(type, () => poll.call(definition, context, input));
      const outputs = await stoppable(polled, interruption);
      if (!outputs || hasEmitted) return memory();
      return { outputs: toPlain(outputs), ...memory(), ...(await record.take()) };
    } finally {
      await record.close();
      close();
    }
  }

  /** The life of a realtime trigger; resolves when the source has ended. `accept` settles when the event is on disk. */
  async listen(
    job: EvaluationJob,
    interruption: Interruption,
    accept: (event: ReceivedEvent) => Promise<void>,
  ): Promise<void> {
    const emit: EmitFrom =
      ({ memory, record }) =>
      async (outputs, { key } = {}) => {
        interruption.signal.throwIfAborted();
        const executionId = this.#parts.newId();
        await accept({
          executionId,
          outputs: toPlain(outputs),
          ...(key === undefined ? {} : { key }),
          ...memory(),
          ...(await record.take(executionId)),
        });
      };
    const { definition, context, input, record, close } = await this.#open(job, interruption, emit);
    try {
      const { listen, type } = definition;
      if (!listen) throw new TaskFailed(`The trigger type "${type}" is not a realtime trigger.`);
      const listening = containErrors(type, () => listen.call(definition, context, input, context.emit));
      await stoppable(listening, interruption);
    } finally {
      await record.close();
      close();
    }
  }

  /** An event started no execution: deletes the log file that was written for it. */
  async discard({ logFile }: RecordedWith): Promise<void> {
    if (logFile !== undefined) await this.#parts.files.delete(logFile);
  }

  async #open(job: EvaluationJob, interruption: Interruption, emit: EmitFrom): Promise<Opened> {
    const { trigger, flow, executionId, variables } = job;
    const definition = this.#parts.catalogue.find(trigger.type)?.definition;
    if (definition?.kind !== 'trigger') {
      throw new TaskFailed(`There is no trigger type "${trigger.type}".`, { retry: false });
    }
    const { namespace, id: flowId, revision: flowRevision, tenantId } = flow;
    const record = new EvaluationRecord(job, this.#parts.files, this.#say(job, trigger));
    const { context: base, close } = this.#parts.contexts.open(
      { taskRunId: `${executionId}-${trigger.id}`, attempt: 0, task: { id: trigger.id } },
      {
        execution: { id: executionId, tenantId, namespace, flowId, flowRevision },
        taskRun: {},
        variables,
        secrets: [],
      },
      interruption,
      this.#log(trigger, record),
    );
    let memory = job.memory;
    const remembered = () => (memory === undefined ? {} : { memory });
    const context: TriggerContext = {
      ...base,
      signal: base.signal,
      metric: (metric) => record.addMetric(metric),
      memory,
      remember: (value) => {
        memory = toJsonValue(value);
      },
      emit: emit({ record, memory: remembered }),
    };
    try {
      const rendered = await renderProperties(definition, ownProperties('trigger', trigger), context);
      const input = readInput(definition.type, definition.input, rendered);
      hideCredentials(context.masker, definition.input, input);
      return {
        definition,
        context,
        input,
        record,
        memory: remembered,
        close,
      };
    } catch (error) {
      close();
      throw error;
    }
  }

  #log(trigger: TriggerDefinition, record: EvaluationRecord): Log {
    const lowest = levels.indexOf(trigger.logLevel);
    return (level, message) => {
      if (logLevels.indexOf(level) < lowest) return;
      return record.addLine({ at: this.#parts.clock(), level, message });
    };
  }

  /** A line in the log of the trigger, long ones in pieces. */
  #say({ flow, executionId }: EvaluationJob, { id: triggerId }: TriggerDefinition) {
    const { tenantId, namespace, id: flowId } = flow;
    return ({ message, ...line }: Pick<LogRecord, 'at' | 'level' | 'message'>) =>
      splitMessage(message)
        .map((piece) =>
          this.#parts.logs.addLog(executionId, {
            tenantId,
            namespace,
            flowId,
            triggerId,
            ...line,
            message: piece,
          }),
        )
        .at(-1);
  }
}

/** Widened, so that whatever an author wrote can be looked up. */
const levels: readonly unknown[] = logLevels;

/** A map at the top stays a map. */
const toPlain = (outputs: Readonly<Record<string, unknown>>) =>
  toJsonValue(outputs) as Record<string, unknown>;
