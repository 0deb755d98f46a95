import type { Definition } from '../kit/definition.ts';
import { shell } from './languages/shell.ts';
import { runners } from './runners.ts';

/** Every script task and the runners they can use. */
export const scriptTypes: readonly Definition[] = [...runners, ...shell];
