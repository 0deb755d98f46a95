import type { InputParts } from '../actions/readInputs.ts';
import type { InternalStorage } from '../files/internalStorage.ts';
import type { ExecutorParts } from './executorParts.ts';
import type { SharedFolders } from './sharedFolders.ts';

/** What setting off the effects of a step takes. */
export interface EffectParts extends ExecutorParts, InputParts {
  readonly files: InternalStorage;
  readonly folders: SharedFolders;
}
