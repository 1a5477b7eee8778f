/** Buttons. */
import { html, type VNode, type WithChildren } from './html.ts';
import { Icon, type IconName } from './icon.ts';

export type ButtonProps = WithChildren<{
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconName;
  /** True to show a spinner and ignore further presses. */
  readonly isBusy?: boolean;
  readonly isDisabled?: boolean;
  /** The accessible name of a button with only an icon. */
  readonly label?: string;
  readonly isPressed?: boolean;
  readonly isSmall?: boolean;
  readonly submits?: boolean;
  readonly onClick?: (event: MouseEvent) => void;
  readonly controls?: string;
  readonly isExpanded?: boolean;
}>;

export function Button(props: ButtonProps): VNode {
  const { kind = 'plain', icon, isBusy = false, isDisabled = false, label, isPressed, isSmall, submits } = props;
  const classes = ['button', kind, isSmall ? 'small' : '', props.children === undefined ? 'bare' : ''];
  return html`<button
    type=${submits ? 'submit' : 'button'}
    class=${classes.filter(Boolean).join(' ')}
    disabled=${isDisabled}
    aria-disabled=${isBusy ? 'true' : undefined}
    aria-busy=${isBusy ? 'true' : undefined}
    aria-label=${label}
    title=${label}
    aria-pressed=${isPressed}
    aria-controls=${props.controls}
    aria-expanded=${props.isExpanded}
    onClick=${(event: MouseEvent) => {
      if (isBusy) event.preventDefault();
      else props.onClick?.(event);
    }}
  >
    ${isBusy ? html`<span class="spinner" aria-hidden="true"></span>` : icon && html`<${Icon} name=${icon} />`}
    ${props.children}
  </button>`;
}
