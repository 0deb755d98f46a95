// Runs before the first paint, as a file of its own because the page allows no inline script.
(() => {
  let stored;
  try {
    stored = localStorage.getItem('theme');
  } catch {
    // Storage is switched off: the system's preference decides.
  }
  const dark =
    stored === 'dark' || (stored !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
