/** The admin console. */
import { html } from '../shared/html.ts';
import { start } from '../shared/start.ts';
import { App } from './app.ts';
import { SessionProvider } from './session.ts';

start(() => html`<${SessionProvider}><${App} /></${SessionProvider}>`);
