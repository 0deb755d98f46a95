import { lazyPart } from '../../ui/lazyPart.tsx';

export { type Choices, keepChoices, optionsOf, readChoices, readMap } from './choices.ts';
export { InputChoice } from './InputChoice.tsx';
export type { DryRunShown } from './runInWorker.ts';

export const DryRunSide = lazyPart(() => import('./DryRunSide.tsx'), 'DryRunSide');
