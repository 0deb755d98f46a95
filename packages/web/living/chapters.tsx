import type { Exhibit } from './exhibit.ts';
import { bases } from './exhibits/bases.tsx';
import { charts } from './exhibits/charts.tsx';
import { dialogs } from './exhibits/dialogs.tsx';
import { lists } from './exhibits/lists.tsx';
import { places } from './exhibits/places.tsx';
import { texts } from './exhibits/texts.tsx';
import { values } from './exhibits/values.tsx';

export const chapters: readonly { title: string; exhibits: readonly Exhibit[] }[] = [
  { title: 'Colours and controls', exhibits: bases },
  { title: 'Values', exhibits: values },
  { title: 'Places: pages, cards, what is empty, loading or broken', exhibits: places },
  { title: 'Lists', exhibits: lists },
  { title: 'Charts', exhibits: charts },
  { title: 'Dialogs', exhibits: dialogs },
  { title: 'Text and code', exhibits: texts },
];
