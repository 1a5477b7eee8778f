/** Small line icons. Decoration only; the text carries the meaning. */
import { html, type VNode } from './html.ts';

const paths = {
  mask: 'M4 7c5-2 11-2 16 0v4c0 5-3.5 8-8 8s-8-3-8-8V7z M8 11h2 M14 11h2 M10 15h4',
  flask: 'M9 3h6 M10 3v6l-5 9a2 2 0 0 0 2 3h10a2 2 0 0 0 2-3l-5-9V3 M7.5 15h9',
  file: 'M6 3h8l4 4v14H6V3z M14 3v4h4 M9 12h6 M9 16h6',
  chat: 'M4 5h16v11H9l-5 4V5z M8 9h8 M8 12.5h5',
  book: 'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3V4z M5 17a3 3 0 0 1 3-3h11',
  code: 'M8 8l-4 4 4 4 M16 8l4 4-4 4 M13.5 5l-3 14',
  list: 'M8 6h12 M8 12h12 M8 18h12 M4 6h.01 M4 12h.01 M4 18h.01',
  globe: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z M3 12h18 M12 3c3 3 3 15 0 18c-3-3-3-15 0-18z',
  key: 'M8 15a4 4 0 1 1 3.5-2L20 13v4h-3v-2h-2l-2 0 M8 11h.01',
  sun: 'M12 8a4 4 0 1 0 0 8a4 4 0 1 0 0-8z M12 2v2 M12 20v2 M2 12h2 M20 12h2 M5 5l1.4 1.4 M17.6 17.6L19 19 M5 19l1.4-1.4 M17.6 6.4L19 5',
  moon: 'M20 14.5A8 8 0 0 1 9.5 4 8 8 0 1 0 20 14.5z',
  auto: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z M12 3v18 M12 7l5-2 M12 12h9 M12 17l5 2',
  copy: 'M9 9h11v11H9z M5 15H4V4h11v1',
  check: 'M5 13l4 4L19 7',
  close: 'M6 6l12 12 M18 6L6 18',
  warn: 'M12 4l9 16H3L12 4z M12 10v4 M12 17h.01',
  info: 'M12 3a9 9 0 1 0 0 18a9 9 0 1 0 0-18z M12 11v5 M12 8h.01',
  menu: 'M4 7h16 M4 12h16 M4 17h16',
  play: 'M7 5l11 7-11 7V5z',
  search: 'M11 4a7 7 0 1 0 0 14a7 7 0 1 0 0-14z M16 16l4 4',
  chart: 'M4 20h16 M7 16v-5 M12 16V6 M17 16v-8',
  users:
    'M9 5a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7z M3 20c0-3.5 2.5-5 6-5s6 1.5 6 5 M16 5.5a3.5 3.5 0 0 1 0 6.5 M17.5 15.5c2 .5 3.5 2 3.5 4.5',
  rules: 'M4 6h10 M4 12h10 M4 18h10 M18 5v14 M15.5 16.5L18 19l2.5-2.5',
  certificate: 'M5 4h14v10H5z M9 8h6 M9 11h4 M10 14v7l2-1.5L14 21v-7',
  plus: 'M12 5v14 M5 12h14',
  edit: 'M4 20l1-4L16 5l3 3L8 19l-4 1z M14 7l3 3',
  trash: 'M5 7h14 M10 7V4h4v3 M7 7l1 13h8l1-13 M10 11v5 M14 11v5',
  grip: 'M9 6h.01 M15 6h.01 M9 12h.01 M15 12h.01 M9 18h.01 M15 18h.01',
  up: 'M12 19V5 M6 11l6-6 6 6',
  down: 'M12 5v14 M6 13l6 6 6-6',
  download: 'M12 4v11 M7 11l5 5 5-5 M5 20h14',
  out: 'M14 4h5v16h-5 M4 12h10 M10 8l4 4-4 4',
} as const;

export type IconName = keyof typeof paths;

/** Privet's logo, as in privet.svg. */
export function Mark(): VNode {
  return html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
    <path class="mark-shield" d="M16 2l12 5v9c0 7-5 12-12 14C9 28 4 23 4 16V7z" />
    <path class="mark-check" d="M10.5 16.5l4 4 7.5-8" />
  </svg>`;
}

export function Icon({ name }: { readonly name: IconName }): VNode {
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d=${paths[name]} />
  </svg>`;
}
