import { useNavigate } from '@tanstack/react-router';
import {
  exploreTutorial,
  finishTour,
  nextStep,
  previousStep,
  skipTour,
  tourIndex,
  useTour,
} from './tourState.ts';

/** A step that points at a part of the page. */
export interface TourStep {
  /** What is looked for on the page. */
  readonly target: string;
  readonly title: 'editor' | 'topology' | 'execute' | 'submit' | 'gantt';
  /** Draws a frame around the target; otherwise only the card stands beside it. */
  readonly highlightElement: boolean;
  /** How long an off-screen target takes to scroll into view. */
  readonly durationMs: number;
  /** The room between the target and its frame. */
  readonly offsetPx: number;
  readonly params: {
    /** `click`: a click on the target advances the tour, without a button; `event`: another event does. */
    readonly goesOn: 'button' | 'click' | 'event';
    readonly side: 'left' | 'right' | 'top' | 'bottom';
    /** False in a dialog, which has dimmed the page already: what it asks for must be readable. */
    readonly dims: boolean;
  };
}

const scrollMs = 1_000;

const step = (
  title: TourStep['title'],
  target: string,
  side: TourStep['params']['side'],
  more: Partial<TourStep> & Partial<Pick<TourStep['params'], 'goesOn' | 'dims'>> = {},
): TourStep => {
  const { goesOn = 'button', dims = true, ...rest } = more;
  return {
    target,
    title,
    highlightElement: true,
    durationMs: scrollMs,
    offsetPx: 6,
    params: { goesOn, side, dims },
    ...rest,
  };
};

/** By the index of the tour; 0 and 1 fill the screen. */
export const steps: Readonly<Record<number, TourStep>> = {
  2: step('editor', '#editor', 'right'),
  3: step('topology', '#topology', 'left'),
  4: step('execute', '#execute-button', 'bottom', { goesOn: 'click' }),
  5: step('submit', '#execute-submit', 'bottom', { goesOn: 'event', dims: false }),
  6: step('gantt', '#gantt', 'bottom', { offsetPx: 0 }),
};

/** Between two steps, so that the page can come to rest before it is pointed at. */
export const stepDelayMs = 200;

export const tutorialNamespace = 'tutorial';

/** The buttons of the tour: each moves it, and goes where it leads. */
export interface TourMoves {
  next(): void;
  previous(): void;
  skip(): void;
  finish(): void;
  explore(): void;
}

export function useTourMoves(): TourMoves {
  const navigate = useNavigate();
  const { flowId } = useTour();
  const openFlow = () => {
    if (flowId === undefined) return;
    void navigate({
      to: '/{-$tenant}/flows/edit/$namespace/$id/{-$tab}',
      params: { namespace: tutorialNamespace, id: flowId, tab: 'edit' },
      search: {},
    });
  };
  const toCreate = () => void navigate({ to: '/{-$tenant}/flows/new', search: {} });
  return {
    next: () => {
      const from = tourIndex();
      nextStep();
      if (from === 1) openFlow();
    },
    previous: () => {
      // The dialog and the pages behind a step belong to the flow's editor.
      if (tourIndex() > 2) openFlow();
      previousStep();
    },
    skip: () => {
      skipTour();
      toCreate();
    },
    finish: () => {
      finishTour();
      toCreate();
    },
    explore: () => {
      exploreTutorial();
      void navigate({ to: '/{-$tenant}/flows', search: { namespace: tutorialNamespace } });
    },
  };
}
