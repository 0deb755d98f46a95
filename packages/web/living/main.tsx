import '../src/theme/styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from '../src/i18n/i18n.ts';
import { Both } from './Both.tsx';
import { LivingPage } from './LivingPage.tsx';

const container = document.getElementById('app');
if (!container) throw new Error('living.html has no element "app".');
const theme = new URLSearchParams(location.search).get('theme');

await startI18n();
createRoot(container).render(
  <StrictMode>{theme === 'light' || theme === 'dark' ? <LivingPage theme={theme} /> : <Both />}</StrictMode>,
);
