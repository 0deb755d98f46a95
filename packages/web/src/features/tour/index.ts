export { isTourDone, nextStep, startTour, tourIndex, useTour } from './tourState.ts';
