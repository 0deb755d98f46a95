import './theme/styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createQueryClient } from './api/queryClient.ts';
import { readTenantFrom } from './api/tenant.ts';
import { startI18n } from './i18n/i18n.ts';
import { createAppRouter } from './routes.tsx';
import { App } from './shell/App.tsx';
import { tenantOf } from './shell/tenantOf.ts';

const container = document.getElementById('app');
if (!container) throw new Error('index.html has no element "app".');

await startI18n();
const router = createAppRouter();
readTenantFrom(() => tenantOf(router));
createRoot(container).render(
  <StrictMode>
    <App router={router} queryClient={createQueryClient()} />
  </StrictMode>,
);
