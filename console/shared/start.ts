import { html, render, type VNode } from './html.ts';
import { PreferencesProvider } from './preferences.ts';
import { ToastProvider } from './toast.ts';

/** Renders a page's component with preferences and toasts. */
export function start(app: () => VNode): void {
  const place = document.getElementById('app');
  if (place === null) throw new Error('the page has no place for the app');
  place.replaceChildren();
  render(html`<${PreferencesProvider}><${ToastProvider}><${app} /></${ToastProvider}></${PreferencesProvider}>`, place);
}
