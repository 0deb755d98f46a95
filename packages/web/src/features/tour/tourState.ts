import { type OnboardingStep, report } from '../../reports/reports.ts';
import { observable } from '../../state/observable.ts';
import { readStored, writeStored } from '../../storage/storage.ts';

/**
 * The guided tour: −1 while it does not run, 0 to 6 for its steps. 0 and 1 fill the screen (welcome, choice of a
 * flow), 2 to 6 point at the editor, the graph, the execute button, the button of the dialog and the gantt chart.
 * Step 4 advances when the button it points at is clicked, step 5 when the execution has started. Each move is reported.
 */
interface TourState {
  readonly index: number;
  /** The tutorial flow that was chosen. */
  readonly flowId: string | undefined;
}

export const lastStep = 6;
const idle: TourState = { index: -1, flowId: undefined };
const state = observable<TourState>(idle);

export const useTour = state.use;
export const tourIndex = (): number => state.get().index;
export const isTourDone = (): boolean => readStored('tourDoneOrSkip') === 'true';

/** Starts from the beginning, whether or not it was done before. */
export function startTour(): void {
  writeStored('tourDoneOrSkip', undefined);
  state.set({ index: 0, flowId: undefined });
}

export function chooseFlow(flowId: string): void {
  state.set({ ...state.get(), flowId });
}

export function nextStep(): void {
  tell('next');
  const { index, flowId } = state.get();
  state.set({ index: Math.min(index + 1, lastStep), flowId });
}

export function previousStep(): void {
  tell('previous');
  const { index, flowId } = state.get();
  state.set({ index: Math.max(index - 1, 0), flowId });
}

export function skipTour(): void {
  tell('skip');
  end();
}

export function finishTour(): void {
  tell('finish');
  tell('executed');
  end();
}

/** Finishes too, and the user continues with the other flows. */
export function exploreTutorial(): void {
  tell('explore');
  tell('executed');
  end();
}

/** Leaves without a word, as when the reader goes back in the browser. */
export function stopTour(): void {
  state.set(idle);
}

function end(): void {
  writeStored('tourDoneOrSkip', 'true');
  state.set(idle);
}

function tell(action: OnboardingStep['action']): void {
  const { index, flowId } = state.get();
  report({ type: 'ONBOARDING', onboarding: { step: index, action, template: flowId } });
}
