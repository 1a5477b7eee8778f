/** The only importer of the pages' library: templates, components, hooks. */
import htm from 'htm';
import { type ComponentChildren, h, type VNode } from 'preact';

export type { ComponentChildren, RefObject, VNode } from 'preact';
export { createContext, render } from 'preact';
export { useCallback, useContext, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';

// htm's types describe its CommonJS form, whose module is an object with the function in it.
const templates = htm as unknown as { bind(create: typeof h): unknown };

/** A template with components: html`<${Button} onClick=${run}>Mask</${Button}>`. Values are text, never markup. */
export const html = templates.bind(h) as (strings: TemplateStringsArray, ...values: unknown[]) => VNode;

/** Props of components with children. */
export type WithChildren<T = unknown> = T & { readonly children?: ComponentChildren };
