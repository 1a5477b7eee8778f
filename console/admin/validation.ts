/** Validates a policy on the gateway shortly after the last key press. */
import type { ValidateAnswer } from '../../gateway/api/routes/policy.ts';
import { useEffect, useRef, useState } from '../shared/html.ts';
import type { Problem } from '../shared/http.ts';
import type { Rule } from './policy-yaml.ts';
import { useApi } from './session.ts';

const quietMs = 300;

export type PolicyProblem = ValidateAnswer['problems'][number];

export type Validation = {
  readonly state: 'asking' | 'done' | 'unknown';
  readonly isValid: boolean;
  readonly problems: readonly PolicyProblem[];
  readonly warnings: readonly PolicyProblem[];
  /** The rules of the text; null if it cannot be parsed, undefined if that is not known. */
  readonly rules: readonly Rule[] | null | undefined;
  /** The text with each rule on its own lines, if it is written in flow style. */
  readonly block: string | undefined;
  readonly of: string | undefined;
  readonly problem: Problem | undefined;
  readonly again: () => void;
};

const nothing = {
  isValid: false,
  problems: [],
  warnings: [],
  rules: undefined,
  block: undefined,
  of: undefined,
  problem: undefined,
} as const;

export function useValidation(yaml: string): Validation {
  const api = useApi();
  const [attempt, setAttempt] = useState(0);
  const [state, setState] = useState<Omit<Validation, 'again'>>({ state: 'asking', ...nothing });
  const isFirst = useRef(true);
  useEffect(() => {
    let isCurrent = true;
    const waitMs = isFirst.current ? 0 : quietMs;
    isFirst.current = false;
    setState((before) => ({ ...before, state: 'asking' }));
    const timer = setTimeout(async () => {
      const outcome = await api.post<ValidateAnswer>('/admin/policy/validate', { yaml }, { isReadOnly: true });
      if (!isCurrent) return;
      if (!outcome.ok) return setState({ state: 'unknown', ...nothing, problem: outcome.problem });
      const { valid, problems, warnings, rules, block } = outcome.body;
      setState({
        state: 'done',
        isValid: valid,
        problems,
        warnings,
        rules: rules as readonly Rule[] | null,
        block: block ?? undefined,
        of: yaml,
        problem: undefined,
      });
    }, waitMs);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [yaml, attempt]);
  return { ...state, again: () => setAttempt((n) => n + 1) };
}
