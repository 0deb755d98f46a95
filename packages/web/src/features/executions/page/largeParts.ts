import { lazyPart } from '../../../ui/lazyPart.tsx';

// What a view is mostly made of. The start of the page and the view itself ask for the same.
export const Gantt = lazyPart(() => import('../../gantt/index.ts'), 'Gantt');
export const LogView = lazyPart(() => import('../../logs/index.ts'), 'LogView');
export const Topology = lazyPart(() => import('../../topology/index.ts'), 'Topology');
