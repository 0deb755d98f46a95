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
