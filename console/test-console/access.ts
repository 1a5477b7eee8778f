/** This page's access to the API: a key stored in this tab, or the sandbox below /demo. Shared by all views. */

import type { Settings } from '../../gateway/api/pages.ts';
import type { Credits } from '../../gateway/api/routes/account.ts';
import type { PiiType } from '../../gateway/api/routes/types.ts';
import { createContext, useCallback, useContext, useEffect, useMemo, useState } from '../shared/html.ts';
import { ApiClient, type CallOptions, type Outcome } from '../shared/http.ts';
import type { DictionaryEntry } from './dictionary.ts';
import { entriesInForce, keepDictionary, loadDictionary, type StoredDictionary } from './dictionary-store.ts';
import { takeTypes } from './pii-types.ts';

/** Paths that also exist in the sandbox. */
const sandboxPaths: ReadonlySet<string> = new Set([
  '/detect',
  '/mask',
  '/restore',
  '/detect-all-injections',
  '/chat',
  '/upload',
  '/shadow-ai/check',
]);

export type Access = {
  readonly key: string | undefined;
  readonly setKey: (key: string | undefined) => void;
  readonly client: ApiClient;
  readonly settings: Settings | undefined;
  /** The key's remaining credits; undefined in the sandbox. */
  readonly credits: Credits | undefined;
  /** Calls left in this minute, as of the last response. */
  readonly callsLeft: number | undefined;
  readonly dictionary: StoredDictionary;
  /** Stores a changed dictionary; false if the browser cannot. */
  readonly changeDictionary: (dictionary: StoredDictionary) => boolean;
  /** Maximum number of entries per call. */
  readonly entriesMax: number;
  /** The entries of the next call; none if the dictionary is too long for the sandbox. */
  readonly entries: readonly DictionaryEntry[];
  /** The path of a call: `/demo/mask` without a key. */
  readonly pathOf: (path: string) => string;
  /** True if a path can be called now. */
  readonly canCall: (path: string) => boolean;
  /** A POST to `pathOf(path)`. */
  readonly post: <T>(path: string, json: unknown, options?: CallOptions) => Promise<Outcome<T>>;
  /** Records the limits in a response, for views that call the API themselves. */
  readonly noteAnswer: (headers: Headers | undefined) => void;
};

const keyName = 'privet.key';

const Current = createContext<Access | undefined>(undefined);
export const AccessProvider = Current.Provider;

export function useAccess(): Access {
  const access = useContext(Current);
  if (access === undefined) throw new Error('there is no access above this component');
  return access;
}

/** Creates a page's access. */
export function useNewAccess(): Access {
  const [key, setKeptKey] = useState<string | undefined>(() => tab.get(keyName) ?? undefined);
  const [settings, setSettings] = useState<Settings>();
  const [credits, setCredits] = useState<Credits>();
  const [callsLeft, setCallsLeft] = useState<{ readonly left: number; readonly until: number }>();
  const [dictionary, setDictionary] = useState(loadDictionary);
  const client = useMemo(() => new ApiClient(() => ({ authorization: key && `Bearer ${key}` }), 'omit'), [key]);
  useEffect(() => {
    new ApiClient().get<Settings>('/console/settings').then((outcome) => {
      if (outcome.ok) setSettings(outcome.body);
    });
  }, []);
  const [, setHasTypes] = useState(false);
  useEffect(() => {
    new ApiClient().get<{ readonly types: readonly PiiType[] }>('/types').then((outcome) => {
      if (!outcome.ok) return;
      takeTypes(outcome.body.types);
      setHasTypes(true);
    });
  }, []);
  const askCredits = useCallback(async () => {
    if (key === undefined) return setCredits(undefined);
    const outcome = await client.get<Credits>('/credits');
    if (outcome.ok) setCredits(outcome.body);
  }, [client, key]);
  useEffect(() => {
    void askCredits();
  }, [askCredits]);
  // The remaining calls are outdated once the minute is over.
  useEffect(() => {
    if (callsLeft === undefined) return;
    const timer = setTimeout(() => setCallsLeft(undefined), Math.max(0, callsLeft.until - Date.now()));
    return () => clearTimeout(timer);
  }, [callsLeft]);
  const noteAnswer = useCallback(
    (headers: Headers | undefined) => {
      const [, left, seconds] = /;r=(\d+);t=(\d+)/.exec(headers?.get('ratelimit') ?? '') ?? [];
      if (left !== undefined) setCallsLeft({ left: Number(left), until: Date.now() + Number(seconds) * 1000 });
      void askCredits();
    },
    [askCredits],
  );
  return useMemo(() => {
    const isSandbox = key === undefined;
    // While the limit is not known, all entries are sent, and the gateway refuses too many: never without the dictionary.
    const entriesMax = (isSandbox ? settings?.demo.dictionaryEntriesMax : undefined) ?? Number.POSITIVE_INFINITY;
    const inForce = entriesInForce(dictionary);
    const pathOf = (path: string) => (isSandbox && sandboxPaths.has(path) ? `/demo${path}` : path);
    return {
      key,
      setKey(next) {
        if (next === undefined) tab.remove(keyName);
        else tab.set(keyName, next);
        setCallsLeft(undefined);
        setKeptKey(next);
      },
      client,
      settings,
      credits,
      callsLeft: callsLeft?.left,
      dictionary,
      changeDictionary(next) {
        setDictionary(next);
        return keepDictionary(next);
      },
      entriesMax,
      entries: inForce.length > entriesMax ? [] : inForce,
      pathOf,
      canCall: (path) => !isSandbox || sandboxPaths.has(path),
      async post<T>(path: string, json: unknown, options?: CallOptions) {
        const outcome = await client.post<T>(pathOf(path), json, options);
        noteAnswer(outcome.ok ? outcome.headers : outcome.seen?.headers);
        return outcome;
      },
      noteAnswer,
    };
  }, [key, client, settings, credits, callsLeft, dictionary, noteAnswer]);
}

/** Session storage: ends with the tab. */
const tab = {
  get(name: string): string | null {
    try {
      return sessionStorage.getItem(name);
    } catch {
      return null;
    }
  },
  set(name: string, value: string): void {
    try {
      sessionStorage.setItem(name, value);
    } catch {
      // The key then lives as long as the page.
    }
  },
  remove(name: string): void {
    try {
      sessionStorage.removeItem(name);
    } catch {
      // It was never stored.
    }
  },
};
