import type { PluginCatalogue } from '@millrace/plugin-kit';
import type { LogBuffer } from '../logs/logBuffer.ts';
import type { EventParts } from './acceptEvent.ts';
import type { TriggerEvaluator } from './triggerEvaluator.ts';

/** The services that evaluate polling and realtime triggers. */
export interface EvaluationParts extends EventParts {
  readonly catalogue: PluginCatalogue;
  readonly logs: LogBuffer;
  readonly evaluator: TriggerEvaluator;
  /** Names this process in the rows of the triggers that it evaluates. */
  readonly workerId: string;
  /** True when no other server uses the database, so that claims of earlier processes are free. */
  readonly isAlone: boolean;
}
