/** The frame of every view: title, navigation, language and theme. */

import { inBoth } from '../../core/wording/in-both.ts';
import { Button } from './button.ts';
import { type ComponentChildren, html, useEffect, useRef, useState, type VNode, type WithChildren } from './html.ts';
import { Icon, type IconName, Mark } from './icon.ts';
import { themes, usePreferences, useTexts } from './preferences.ts';
import { hrefOf } from './route.ts';

const texts = inBoth({
  skip: ['Skip to the content', '本文へ移動'],
  views: ['Views', '画面'],
  menu: ['Menu', 'メニュー'],
  language: ['Language', '言語'],
  theme: ['Theme', 'テーマ'],
  themes: { auto: ['As the system', 'システムに合わせる'], light: ['Light', 'ライト'], dark: ['Dark', 'ダーク'] },
});

export type NavItem = {
  readonly view: string;
  readonly label: string;
  readonly icon: IconName;
  readonly count?: number | undefined;
  /** The last state of the view, restored when it is reopened. */
  readonly query?: URLSearchParams | undefined;
};

export type PageFrameProps = WithChildren<{
  /** The name of the console. */
  readonly title: string;
  readonly nav: readonly NavItem[];
  readonly current: string;
  /** State and buttons at the right end of the header. */
  readonly actions?: ComponentChildren;
  /** Below the navigation, such as links to the other console. */
  readonly foot?: ComponentChildren;
}>;

export function PageFrame({ title, nav, current, actions, foot, children }: PageFrameProps): VNode {
  const words = useTexts(texts);
  const [isOpen, setOpen] = useState(false);
  const main = useRef<HTMLElement>(null);
  const shown = nav.find(({ view }) => view === current)?.label;
  useEffect(() => {
    document.title = `${shown === undefined ? '' : `${shown} · `}${title} · Privet`;
    setOpen(false);
  }, [title, shown]);
  // A new view starts at its top.
  useEffect(() => scrollTo(0, 0), [current]);
  return html`<div class="frame">
    <a
      class="skip"
      href="#content"
      onClick=${(event: Event) => {
        event.preventDefault();
        main.current?.focus();
      }}
    >${words.skip}</a>
    <header class="head">
      <span class="menu-button">
        <${Button}
          kind="quiet"
          icon="menu"
          label=${words.menu}
          controls="views"
          isExpanded=${isOpen}
          onClick=${() => setOpen(!isOpen)}
        />
      </span>
      <span class="brand"><${Mark} /><strong>Privet</strong><span class="brand-part">${title}</span></span>
      <span class="head-space"></span>
      ${actions}
      <${LanguageChoice} />
      <${ThemeChoice} />
    </header>
    <nav id="views" class=${isOpen ? 'views open' : 'views'} aria-label=${words.views}>
      <ul>${nav.map(
        ({ view, label, icon, count, query }) => html`<li key=${view}>
          <a
            href=${hrefOf(view, Object.fromEntries(query ?? []))}
            aria-current=${view === current ? 'page' : undefined}
            onClick=${() => setOpen(false)}
          >
            <${Icon} name=${icon} /><span>${label}</span>
            ${count !== undefined && count > 0 && html`<span class="count">${count}</span>`}
          </a>
        </li>`,
      )}</ul>
      ${foot && html`<div class="views-foot">${foot}</div>`}
    </nav>
    <main id="content" class="main" tabindex="-1" ref=${main}>${children}</main>
  </div>`;
}

export type ViewHeadProps = WithChildren<{ readonly title: string; readonly about?: string }>;

/** The title of a view, its purpose in one sentence, and its main buttons. */
export function ViewHead({ title, about, children }: ViewHeadProps): VNode {
  return html`<header class="view-head">
    <div><h1>${title}</h1>${about && html`<p>${about}</p>`}</div>
    ${children && html`<div class="view-actions">${children}</div>`}
  </header>`;
}

export function LanguageChoice(): VNode {
  const { language, setLanguage } = usePreferences();
  const words = useTexts(texts);
  return html`<span class="choice" role="group" aria-label=${words.language}>
    <button type="button" lang="en" aria-pressed=${language === 'en'} onClick=${() => setLanguage('en')}>EN</button>
    <button type="button" lang="ja" aria-pressed=${language === 'ja'} onClick=${() => setLanguage('ja')}>日本語</button>
  </span>`;
}

export function ThemeChoice(): VNode {
  const { theme, setTheme } = usePreferences();
  const words = useTexts(texts);
  const icons = { auto: 'auto', light: 'sun', dark: 'moon' } as const;
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'auto';
  return html`<${Button}
    kind="quiet"
    icon=${icons[theme]}
    label=${`${words.theme}: ${words.themes[theme]}`}
    onClick=${() => setTheme(next)}
  />`;
}
