import './theme/styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/queryClient.ts';
import { readTenantFrom } from './api/tenant.ts';
import { startI18n } from './i18n/i18n.ts';
import { createAppRouter } from './routes.tsx';
import { App } from './shell/App.tsx';
import { configurationQuery } from './shell/configuration.ts';
import { tenantOf } from './shell/tenantOf.ts';

const container = document.getElementById('app');
if (!container) throw new Error('index.html has no element "app".');

const queryClient = createQueryClient();
const router = createAppRouter(queryClient);
readTenantFrom(() => tenantOf(router));
// The texts, what the server says of itself and the page with its data come side by side, not one after the other.
const texts = startI18n();
void queryClient.prefetchQuery(configurationQuery);
void router.load();
await texts;
createRoot(container).render(
  <StrictMode>
    <App router={router} queryClient={queryClient} />
  </StrictMode>,
);
