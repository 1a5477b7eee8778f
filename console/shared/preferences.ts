/** Language and theme, stored in the browser and shared by both consoles. */
import {
  createContext,
  html,
  useContext,
  useEffect,
  useMemo,
  useState,
  type VNode,
  type WithChildren,
} from './html.ts';

const languages = ['en', 'ja'] as const;
export type Language = (typeof languages)[number];

export const themes = ['auto', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

export type Preferences = {
  readonly language: Language;
  readonly theme: Theme;
  readonly setLanguage: (language: Language) => void;
  readonly setTheme: (theme: Theme) => void;
};

const Chosen = createContext<Preferences>({ language: 'en', theme: 'auto', setLanguage() {}, setTheme() {} });

/** The preferences, and functions to change them. */
export function usePreferences(): Preferences {
  return useContext(Chosen);
}

/** The texts of a component in the page's language: `{ en: {…}, ja: {…} }` with the same keys. */
export function useTexts<T>(texts: { readonly en: T; readonly ja: NoInfer<T> }): T {
  return texts[useContext(Chosen).language];
}

/** The page's language as the browser's region writes it, for dates and numbers: `en-GB`. */
export function regionOf(language: Language): string {
  return navigator.languages.find((locale) => locale.split('-')[0] === language) ?? language;
}

/** `label: value` with the punctuation of the language. */
export function labelled(language: Language, label: string, value: string): string {
  return language === 'ja' ? `${label}：${value}` : `${label}: ${value}`;
}

/** True if the page is dark, by choice or by the system. */
export function useIsDark(): boolean {
  const { theme } = usePreferences();
  const [system, setSystem] = useState(() => matchMedia('(prefers-color-scheme: dark)').matches);
  useEffect(() => {
    const query = matchMedia('(prefers-color-scheme: dark)');
    const note = () => setSystem(query.matches);
    query.addEventListener('change', note);
    return () => query.removeEventListener('change', note);
  }, []);
  return theme === 'auto' ? system : theme === 'dark';
}

/** Provides the preferences to everything below it. */
export function PreferencesProvider({ children }: WithChildren): VNode {
  const [language, setLanguage] = useState<Language>(() => (document.documentElement.lang === 'ja' ? 'ja' : 'en'));
  const [theme, setTheme] = useState<Theme>(() => oneOf(themes, stored.get('privet.theme')) ?? 'auto');
  const value = useMemo(
    () => ({
      language,
      theme,
      setLanguage(next: Language) {
        document.documentElement.lang = next;
        stored.set('privet.language', next);
        setLanguage(next);
      },
      setTheme(next: Theme) {
        if (next === 'auto') delete document.documentElement.dataset.theme;
        else document.documentElement.dataset.theme = next;
        stored.set('privet.theme', next);
        setTheme(next);
      },
    }),
    [language, theme],
  );
  return html`<${Chosen.Provider} value=${value}>${children}</${Chosen.Provider}>`;
}

/** Local storage; without it nothing is remembered. */
export const stored = {
  get(name: string): string | null {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  /** Returns false if it could not be stored. */
  set(name: string, value: string): boolean {
    try {
      localStorage.setItem(name, value);
      return true;
    } catch {
      return false;
    }
  },
};

function oneOf<T extends string>(known: readonly T[], value: string | null): T | undefined {
  return known.find((item) => item === value);
}
