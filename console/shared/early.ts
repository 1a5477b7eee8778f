/**
 * Runs before the first paint, as a classic script, to apply theme and language without flashing. Uses the names in
 * preferences.ts, which cannot be imported here.
 */
try {
  const theme = localStorage.getItem('privet.theme');
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme;
  const language = localStorage.getItem('privet.language') ?? navigator.language.slice(0, 2);
  document.documentElement.lang = language === 'ja' ? 'ja' : 'en';
} catch {
  // A browser without storage shows its defaults.
}
