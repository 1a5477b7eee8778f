import { expect, test } from 'vitest';
import { ChangeEmitter, changeOf } from '../../../gateway/stores/changes.ts';
import { recordKinds } from '../../../gateway/stores/records.ts';

test.each([
  ['{"kind":"policy"}', { kind: 'policy' }],
  ['{"kind":"service","ids":["a"]}', { kind: 'service', ids: ['a'] }],
  ['', undefined],
  ['refresh', undefined],
  ['null', undefined],
  ['{"kind":"acknowledgement","ids":{}}', undefined],
  ['{"kind":"nothing"}', undefined],
  ['{"kind":"policy","ids":[1]}', undefined],
])('notifications: %s', (message, change) => expect(changeOf(message)).toEqual(change));

test('an unknown notification may mean any change', () => {
  const emitter = new ChangeEmitter(() => true);
  const heard: string[] = [];
  emitter.onChange(({ kind }) => heard.push(kind));
  emitter.hear('');
  expect(heard).toEqual([...recordKinds]);
});
