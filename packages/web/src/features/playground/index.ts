import { lazyPart } from '../../ui/lazyPart.tsx';

export const PlaygroundSide = lazyPart(() => import('./PlaygroundSide.tsx'), 'PlaygroundSide');
