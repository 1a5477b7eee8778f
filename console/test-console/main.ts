/** The test console. */
import { html } from '../shared/html.ts';
import { PageFrame, ViewHead } from '../shared/page-frame.ts';
import { start } from '../shared/start.ts';

start(
  () => html`<${PageFrame} title="Test console" nav=${[{ view: 'mask', label: 'Mask', icon: 'mask' }]} current="mask">
  <${ViewHead} title="Mask" />
</${PageFrame}>`,
);
