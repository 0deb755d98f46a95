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
import { ConfirmHost } from '../src/ui/ConfirmHost.tsx';
import { chapters } from './chapters.tsx';
import styles from './living.module.css';

/** Every shared component in every state it knows, in one theme. Links lead back here. */
export function LivingPage({ theme }: { theme: 'light' | 'dark' }) {
  const router = useMemo(createLivingRouter, []);
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

function createLivingRouter() {
  const root = createRootRoute();
  const anywhere = createRoute({ getParentRoute: () => root, path: '$', component: Chapters });
  return createRouter({
    routeTree: root.addChildren([anywhere]),
    history: createMemoryHistory({ initialEntries: ['/living'] }),
  });
}

function Chapters() {
  return (
    <main className={styles.page}>
      <h1>Components</h1>
      {chapters.map(({ title, exhibits }) => (
        <section key={title} className={styles.chapter}>
          <h2>{title}</h2>
          {exhibits.map(({ name, show: Show }) => (
            <div key={name} className={styles.exhibit}>
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
