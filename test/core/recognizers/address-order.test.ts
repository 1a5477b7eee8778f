import { expect, test, vi } from 'vitest';

/** Addresses in which a sign is part of a number, and others in which it separates words. */
const texts = [
  'vecina de Cali, carrera 9 # 12-34, barrio San Luis, pide',
  'Visit 4800 N Lincoln Ave, Chicago, IL 60625#here',
  '#24, 3rd Cross, Indiranagar, Bengaluru 560038',
  '12 bis, rue des Lilas, 75011 Paris#x',
];

async function found(order: readonly string[]): Promise<Map<string, string[]>> {
  vi.resetModules();
  const { Detector } = await import('../../../core/detect/detector.ts');
  const detector = new Detector({ types: ['ADDRESS'] });
  return new Map(order.map((text) => [text, detector.detect(text).map(({ value }) => value)]));
}

test('an address is found whatever texts were read before', async () => {
  const alone = new Map<string, string[]>();
  for (const text of texts) for (const [key, values] of await found([text])) alone.set(key, values);
  expect([...alone.values()].flat().length).toBeGreaterThan(3);
  for (let first = 0; first < texts.length; first++) {
    const order = [...texts.slice(first), ...texts.slice(0, first)];
    for (const one of [order, order.toReversed()])
      for (const [text, values] of await found(one)) expect([text, values]).toEqual([text, alone.get(text)]);
  }
});
