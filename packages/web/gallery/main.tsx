import '../src/theme/styles.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { startI18n } from '../src/i18n/i18n.ts';
import { Gallery } from './Gallery.tsx';
import styles from './gallery.module.css';

const container = document.getElementById('app');
if (!container) throw new Error('gallery.html has no element "app".');
const theme = new URLSearchParams(location.search).get('theme');

await startI18n();
createRoot(container).render(
  <StrictMode>
    {theme === 'light' || theme === 'dark' ? <Gallery theme={theme} /> : <BothThemes />}
  </StrictMode>,
);

/** The page in both themes, side by side: a theme holds for a whole document, so each has one. */
function BothThemes() {
  return (
    <div className={styles.both}>
      <iframe src="?theme=light" title="Light" />
      <iframe src="?theme=dark" title="Dark" />
    </div>
  );
}
