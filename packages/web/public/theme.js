// Runs before the first paint, as a file of its own because the page allows no inline script.
(() => {
  const read = (key) => {
    try {
      return localStorage.getItem(key);
    } catch {
      // Storage is switched off: the system's preference decides.
      return null;
    }
  };
  const theme = read('theme');
  const dark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');

  // The first formats of a language take the browser 30 ms: while the scripts are on their way, not while the page renders.
  setTimeout(() => {
    const language = /^[a-z]{2}/.exec(read('lang') ?? navigator.language)?.[0];
    new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'medium' }).format();
    new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(-1, 'day');
  });
})();
