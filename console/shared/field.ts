/** Form fields, always with their label, hint and error. */
import { html, type RefObject, useId, type VNode, type WithChildren } from './html.ts';
import { Icon } from './icon.ts';

type Labelled = {
  readonly label: string;
  /** True to show the label to screen readers only. */
  readonly isLabelHidden?: boolean;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
};

type Described = { readonly id: string; readonly 'aria-describedby'?: string; readonly 'aria-invalid'?: 'true' };

/** Label, control, hint and error, tied together for a screen reader. */
function Labelling(
  props: WithChildren<Labelled & { readonly control: (described: Described) => VNode; readonly isWide?: boolean }>,
): VNode {
  const { label, isLabelHidden = false, hint, error, control } = props;
  const id = useId();
  const about = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  const described = {
    id,
    ...(about === '' ? {} : { 'aria-describedby': about }),
    ...(error ? { 'aria-invalid': 'true' as const } : {}),
  };
  return html`<div class="field">
    <label class=${isLabelHidden ? 'unseen' : 'label'} for=${id}>${label}</label>
    ${control(described)}
    ${hint && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
    <div aria-live="polite">
      ${error && html`<p class="error" id=${`${id}-error`}><${Icon} name="warn" /><span>${error}</span></p>`}
    </div>
  </div>`;
}

export type TextFieldProps = Labelled & {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly type?: 'text' | 'password' | 'search' | 'number' | 'url' | 'datetime-local';
  readonly placeholder?: string;
  readonly isMono?: boolean;
  readonly autocomplete?: string;
  readonly isRequired?: boolean;
  readonly inputRef?: RefObject<HTMLInputElement>;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  /** Offered while typing. */
  readonly suggestions?: readonly string[];
};

export function TextField(props: TextFieldProps): VNode {
  const { value, onInput, type = 'text', placeholder, isMono, autocomplete = 'off', isRequired, inputRef } = props;
  const { suggestions } = props;
  return html`<${Labelling} ...${props} control=${(described: Described) => html`<input
    ...${described}
    ref=${inputRef}
    class=${isMono ? 'input mono' : 'input'}
    type=${type}
    value=${value}
    placeholder=${placeholder}
    autocomplete=${autocomplete}
    autocapitalize="off"
    spellcheck=${false}
    required=${isRequired}
    min=${props.min}
    max=${props.max}
    step=${props.step}
    list=${suggestions && `${described.id}-list`}
    onInput=${(event: InputEvent) => onInput((event.currentTarget as HTMLInputElement).value)}
  />${suggestions && html`<datalist id=${`${described.id}-list`}>${suggestions.map((name) => html`<option key=${name} value=${name} />`)}</datalist>`}`} />`;
}

export type TextAreaProps = Labelled & {
  readonly value: string;
  readonly onInput: (value: string) => void;
  readonly rows?: number;
  readonly placeholder?: string;
  readonly isMono?: boolean;
  readonly isReadOnly?: boolean;
  /** Ctrl+Enter or ⌘+Enter. */
  readonly onRun?: () => void;
  readonly inputRef?: RefObject<HTMLTextAreaElement>;
};

export function TextArea(props: TextAreaProps): VNode {
  const { value, onInput, rows = 8, placeholder, isMono, isReadOnly, onRun, inputRef } = props;
  return html`<${Labelling} ...${props} control=${(described: Described) => html`<textarea
    ...${described}
    ref=${inputRef}
    class=${isMono ? 'input mono' : 'input'}
    rows=${rows}
    value=${value}
    placeholder=${placeholder}
    readonly=${isReadOnly}
    spellcheck=${false}
    onInput=${(event: InputEvent) => onInput((event.currentTarget as HTMLTextAreaElement).value)}
    onKeyDown=${(event: KeyboardEvent) => {
      if (onRun === undefined || event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      onRun();
    }}
  ></textarea>`} />`;
}

export type SelectProps = Labelled & {
  readonly value: string;
  readonly options: readonly (readonly [value: string, label: string])[];
  readonly onChange: (value: string) => void;
};

export function Select(props: SelectProps): VNode {
  const { value, options, onChange } = props;
  return html`<${Labelling} ...${props} control=${(described: Described) => html`<select
    ...${described}
    class="input"
    value=${value}
    onChange=${(event: Event) => onChange((event.currentTarget as HTMLSelectElement).value)}
  >
    ${options.map(([key, text]) => html`<option key=${key} value=${key} selected=${key === value}>${text}</option>`)}
  </select>`} />`;
}

export type SwitchProps = {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly hint?: string | undefined;
  /** Texts of the two states. */
  readonly states?: readonly [off: string, on: string];
};

/** An on/off switch that applies immediately. */
export function Switch({ label, isOn, onChange, hint, states }: SwitchProps): VNode {
  const id = useId();
  return html`<div class="switch-row">
    <button
      type="button"
      role="switch"
      class="switch"
      aria-checked=${isOn ? 'true' : 'false'}
      aria-labelledby=${`${id}-label`}
      aria-describedby=${hint ? `${id}-hint` : undefined}
      onClick=${() => onChange(!isOn)}
    ><span class="knob" aria-hidden="true"></span></button>
    <span id=${`${id}-label`}>${label}</span>
    ${states && html`<strong class="state" aria-hidden="true">${states[isOn ? 1 : 0]}</strong>`}
    ${hint && html`<p class="hint" id=${`${id}-hint`}>${hint}</p>`}
  </div>`;
}

export function Checkbox(props: {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}): VNode {
  return html`<label class="check">
    <input
      type="checkbox"
      checked=${props.isChecked}
      onChange=${(event: Event) => props.onChange((event.currentTarget as HTMLInputElement).checked)}
    />
    <span>${props.label}</span>
  </label>`;
}
