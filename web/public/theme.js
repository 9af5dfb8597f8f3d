// Before anything is painted, so that a dark room stays dark. A file of its own: the page allows no inline script.
try {
  const chosen = localStorage.getItem('sandtable.theme');
  const dark = chosen ? chosen === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
} catch {
  document.documentElement.dataset.theme = 'light';
}
