/** Names that the tagger does not know, but their neighbours tell. */
import { expect, test } from 'vitest';
import { Detector } from '../../../core/detect/detector.ts';
import { expectLinear } from '../../support/linear-time.ts';

const detector = new Detector({ types: ['NAME'] });
const found = (text: string) => detector.detect(text).map(({ value }) => value);

test.each([
  ['revoir dans 6 mois. Dr Saint-Amour', ['Saint-Amour']],
  ['Prof. Dr. med. A. von Hohenlinden', ['A. von Hohenlinden']],
  ["FROM: Dr Tam's office", ['Tam']],
  ['Merci à Mme de la Tour.', ['de la Tour']],
  ["Mme de l'Estoile", ["de l'Estoile"]],
  ['mother to Fiona, Callum and Grace, and gran of Isla.', ['Fiona', 'Callum', 'Grace']],
  [
    '[선우하람] [오전 9:03] 네\n[남궁 팀장] [오전 9:05] 네\n[선우하람] [오전 9:07] 네\n[보라] [오전 9:10] 네',
    ['선우하람', '남궁', '선우하람', '보라'],
  ],
  ['工藤 11:02\n落ちてます\n白鳥 11:04\n見てます\n工藤 11:07\nはい', ['工藤', '白鳥', '工藤']],
  [
    '[02.06.2025 21:12] Çiğdem: a\n[02.06.2025 21:13] Umut: b\n[02.06.2025 21:14] Çiğdem: c',
    ['Çiğdem', 'Umut', 'Çiğdem'],
  ],
])('%s', (text, names) => {
  expect(found(text)).toEqual(names);
});

test.each([
  'Dr Pepper and Mr Muscle',
  'Mr Speaker, I rise.',
  'Anna, Paris and Berlin are nice.',
  '09:12 server: started\n09:13 worker: ok\n09:14 server: ok\n09:15 worker: done',
  '10:00 開会\n10:15 休憩\n11:00 討議\n11:15 休憩\n12:00 閉会',
  '10:00 Lunch: room\n11:00 Break: hall\n12:00 Lunch: room',
])('%s: nothing', (text) => {
  expect(found(text)).toEqual([]);
});

test.each([
  ['a list of names', 'Fiona, '],
  ['titles', 'Mme de la Tour '],
  ['speakers', '10:00 Umut: a\n10:01 Çiğdem: b\n'],
  ['tables of people', 'name,email\nmarta,m@example.com\n\n'],
])('many of %s take linear time', (_, piece) => {
  expectLinear((length) => {
    const text = piece.repeat(length / piece.length);
    return () => detector.detect(text);
  }, 20_000);
});
