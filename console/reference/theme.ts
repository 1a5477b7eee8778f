/** Runs before the first paint: the theme chosen in the consoles (shared/preferences.ts). */
try {
  const theme = localStorage.getItem('privet.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
} catch {
  // A browser without storage shows its default.
}
