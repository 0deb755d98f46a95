import { type LogLevel, logLevels, type TriggerDefinition } from '@millrace/contract';
import {
  ownProperties,
  type PluginCatalogue,
  type TriggerDefinition as PluginTrigger,
  readInput,
  renderProperties,
  TaskFailed,
  type TriggerContext,
} from '@millrace/plugins';
import type { Interruption } from '../loops/interruption.ts';
import { toJsonValue } from '../loops/jsonValue.ts';
import type { LogBuffer } from '../loops/logBuffer.ts';
import { splitMessage } from '../loops/splitMessage.ts';
import { stoppable } from '../loops/stoppable.ts';
import type { TaskContexts } from '../loops/taskContext.ts';
import type { EvaluationJob, HeardEvent, LookResult } from './evaluationJob.ts';

export interface EvaluatorParts {
  readonly catalogue: PluginCatalogue;
  readonly contexts: TaskContexts;
  readonly logs: LogBuffer;
  readonly clock: () => number;
}

type Log = (level: LogLevel, message: string) => void | Promise<void>;

interface Opened {
  readonly definition: PluginTrigger;
  readonly context: TriggerContext;
  readonly input: Readonly<Record<string, unknown>>;
  memory(): { readonly memory?: unknown };
  close(): void;
}

/** The worker's side of triggers: runs the code of a plugin for one job and hands back plain data. */
export class TriggerEvaluator {
  readonly #parts: EvaluatorParts;

  constructor(parts: EvaluatorParts) {
    this.#parts = parts;
  }

  /** One look of a polling trigger. */
  async look(job: EvaluationJob, interruption: Interruption): Promise<LookResult> {
    const { definition, context, input, memory, close } = await this.#open(job, interruption);
    try {
      if (!definition.poll) throw new TaskFailed(`The trigger type "${definition.type}" cannot look.`);
      const outputs = await stoppable(definition.poll(context, input), interruption);
      return { ...(outputs ? { outputs: toPlain(outputs) } : {}), ...memory() };
    } finally {
      close();
    }
  }

  /** The life of a realtime trigger; resolves when the source has ended. `accept` settles when the event is on disk. */
  async listen(
    job: EvaluationJob,
    interruption: Interruption,
    accept: (event: HeardEvent) => Promise<void>,
  ): Promise<void> {
    const { definition, context, input, memory, close } = await this.#open(job, interruption);
    try {
      if (!definition.listen) throw new TaskFailed(`The trigger type "${definition.type}" cannot listen.`);
      const emit = async (outputs: Readonly<Record<string, unknown>>, { key }: { key?: string } = {}) => {
        interruption.signal.throwIfAborted();
        await accept({ outputs: toPlain(outputs), ...(key === undefined ? {} : { key }), ...memory() });
      };
      await stoppable(definition.listen(context, input, emit), interruption);
    } finally {
      close();
    }
  }

  async #open(job: EvaluationJob, interruption: Interruption): Promise<Opened> {
    const { trigger, flow, executionId, variables } = job;
    const definition = this.#parts.catalogue.find(trigger.type)?.definition;
    if (definition?.kind !== 'trigger') {
      throw new TaskFailed(`There is no trigger type "${trigger.type}".`, { retry: false });
    }
    const { namespace, id: flowId, revision: flowRevision, tenantId } = flow;
    const { context: base, close } = this.#parts.contexts.open(
      { taskRunId: `${executionId}-${trigger.id}`, attempt: 0, task: { id: trigger.id } },
      {
        execution: { id: executionId, tenantId, namespace, flowId, flowRevision },
        taskRun: {},
        variables,
        secrets: [],
      },
      interruption,
      this.#log(job, trigger),
    );
    let memory = job.memory;
    const context: TriggerContext = {
      ...base,
      // There may never be an execution that it could be shown at.
      metric: () => {},
      memory,
      remember: (value) => {
        memory = toJsonValue(value);
      },
    };
    try {
      const rendered = await renderProperties(definition, ownProperties('trigger', trigger), context);
      const input = readInput(definition.type, definition.input, rendered);
      return {
        definition,
        context,
        input,
        memory: () => (memory === undefined ? {} : { memory }),
        close,
      };
    } catch (error) {
      close();
      throw error;
    }
  }

  #log({ flow, executionId }: EvaluationJob, trigger: TriggerDefinition): Log {
    const { logs, clock } = this.#parts;
    const lowest = levels.indexOf(trigger.logLevel);
    return (level, message) => {
      if (logLevels.indexOf(level) < lowest) return;
      const { tenantId, namespace, id: flowId } = flow;
      const pieces = splitMessage(message).map((piece) =>
        logs.addLog(executionId, {
          tenantId,
          namespace,
          flowId,
          triggerId: trigger.id,
          at: clock(),
          level,
          message: piece,
        }),
      );
      return pieces.at(-1);
    };
  }
}

/** Widened, so that whatever an author wrote can be looked up. */
const levels: readonly unknown[] = logLevels;

/** A map at the top stays a map. */
const toPlain = (outputs: Readonly<Record<string, unknown>>) =>
  toJsonValue(outputs) as Record<string, unknown>;
