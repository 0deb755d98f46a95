import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import {
  createMemoryHistory,
  createRootRoute,
  createRoute,
  createRouter,
  RouterProvider,
} from '@tanstack/react-router';
import { useMemo } from 'react';
import { cssVariables, theme as mantineTheme } from '../src/theme/theme.ts';
import { ConfirmHost } from '../src/ui/confirm/ConfirmHost.tsx';
import type { GalleryExample } from './example.ts';
import { bases } from './examples/bases.tsx';
import { charts } from './examples/charts.tsx';
import { dialogs } from './examples/dialogs.tsx';
import { lists } from './examples/lists.tsx';
import { places } from './examples/places.tsx';
import { texts } from './examples/texts.tsx';
import { values } from './examples/values.tsx';
import styles from './gallery.module.css';

/** Every shared component in every state it knows, in one theme. Links lead back here. */
export function Gallery({ theme }: { theme: 'light' | 'dark' }) {
  const router = useMemo(createGalleryRouter, []);
  const client = useMemo(() => new QueryClient(), []);
  return (
    <MantineProvider theme={mantineTheme} cssVariablesResolver={cssVariables} forceColorScheme={theme}>
      <QueryClientProvider client={client}>
        <ConfirmHost />
        {/* `never`: the type of the product's own router is registered for all of this package. */}
        <RouterProvider router={router as never} />
      </QueryClientProvider>
    </MantineProvider>
  );
}

function createGalleryRouter() {
  const root = createRootRoute();
  const anywhere = createRoute({ getParentRoute: () => root, path: '$', component: Sections });
  return createRouter({
    routeTree: root.addChildren([anywhere]),
    history: createMemoryHistory({ initialEntries: ['/gallery'] }),
  });
}

function Sections() {
  return (
    <main className={styles.page}>
      <h1>Components</h1>
      {sections.map(({ title, examples }) => (
        <section key={title} className={styles.section}>
          <h2>{title}</h2>
          {examples.map(({ name, show: Show }) => (
            <div key={name} className={styles.example}>
              <h3>{name}</h3>
              <div className={styles.stage}>
                <Show />
              </div>
            </div>
          ))}
        </section>
      ))}
    </main>
  );
}

const sections: readonly { title: string; examples: readonly GalleryExample[] }[] = [
  { title: 'Colors and controls', examples: bases },
  { title: 'Values', examples: values },
  { title: 'Pages, cards, empty, loading and error states', examples: places },
  { title: 'Lists', examples: lists },
  { title: 'Charts', examples: charts },
  { title: 'Dialogs', examples: dialogs },
  { title: 'Text and code', examples: texts },
];
