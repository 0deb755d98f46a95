import './theme/styles.ts';
import './withoutEval.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/queryClient.ts';
import { readTenantFrom } from './api/tenant.ts';
import { startI18n } from './i18n/i18n.ts';
import { createAppRouter } from './routes.tsx';
import { tenantOf } from './routing/tenant.ts';
import { App } from './shell/App.tsx';
import { configurationQuery } from './shell/configuration.ts';

const patienceMs = 1_000;

const container = document.getElementById('app');
if (!container) throw new Error('index.html has no element "app".');

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);
readTenantFrom(() => tenantOf(router));
// The texts, what the server says of itself and the page with its data come side by side, not one after the other.
const texts = startI18n();
const page = Promise.allSettled([queryClient.prefetchQuery(configurationQuery), router.load()]);
await texts;
// Drawn at once when it is there soon: a page that begins with a gap is drawn twice, and React keeps a gap open for 300 ms
// once it has shown it. A load that takes longer shows its gaps.
await Promise.race([page, new Promise((resolve) => setTimeout(resolve, patienceMs))]);
createRoot(container).render(
  <StrictMode>
    <App router={router} queryClient={queryClient} />
  </StrictMode>,
);
