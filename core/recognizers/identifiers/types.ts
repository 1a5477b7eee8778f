/** All identifiers, read from the JSON files in this folder. A new type is one row: form, length, check rules, labels. */
import africaAndMiddleEast from './africa-and-middle-east.json' with { type: 'json' };
import americas from './americas.json' with { type: 'json' };
import asia from './asia.json' with { type: 'json' };
import { type CheckRule, checkOf } from './check-rules.ts';
import devices from './devices.json' with { type: 'json' };
import documents from './documents.json' with { type: 'json' };
import europe from './europe.json' with { type: 'json' };
import type { IdentifierType } from './identifier.ts';
import oceania from './oceania.json' with { type: 'json' };
import payments from './payments.json' with { type: 'json' };
import people from './people.json' with { type: 'json' };
import phones from './phones.json' with { type: 'json' };

/** A row of the files: an {@link IdentifierType} with patterns as strings and checks as rules. */
export type IdentifierRow = Omit<IdentifierType, 'form' | 'alone' | 'check' | 'not' | 'labels'> & {
  readonly form: string;
  readonly alone?: true | string;
  readonly check?: readonly CheckRule[];
  readonly not?: readonly CheckRule[];
  readonly labels?: readonly string[];
};

const rows = [
  ...[europe, africaAndMiddleEast, asia, oceania, americas],
  ...[people, phones, documents, devices, payments],
].flat() as readonly unknown[] as readonly IdentifierRow[];

export const identifierTypes: readonly IdentifierType[] = rows.map(
  ({ form, alone, check, not, labels = [], ...row }): IdentifierType => ({
    ...row,
    form: new RegExp(form),
    ...(alone === undefined ? {} : { alone: typeof alone === 'string' ? new RegExp(alone) : alone }),
    ...(check === undefined ? {} : { check: checkOf(check) }),
    ...(not === undefined ? {} : { not: not.map((rule) => checkOf([rule])) }),
    labels,
  }),
);
