import { lazyPart } from '../../ui/lazyPart.tsx';

export { type Choices, keepChoices, readChoices, readMap } from './choices.ts';
export { InputChoice } from './InputChoice.tsx';
export { optionsOf } from './optionsOf.ts';
export type { DryRunShown } from './runInWorker.ts';

export const DryRunSide = lazyPart(() => import('./DryRunSide.tsx'), 'DryRunSide');
